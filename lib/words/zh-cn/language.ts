import type { Translated } from '@/lib/base/reader'

export const languageZh: Readonly<Record<string, Translated>> = {
  'language.change': '更改语言',
  'language.failed': '未能加载',
}

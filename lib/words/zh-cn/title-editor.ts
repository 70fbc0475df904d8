import type { Translated } from '@/lib/base/reader'

export const titleEditorZh: Readonly<Record<string, Translated>> = {
  'title.field': '标题',
  'title.suggestions': '取自此对话内容的标题',
}

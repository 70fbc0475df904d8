import type { Translated } from '@/lib/base/reader'

export const uiControlsZh: Readonly<Record<string, Translated>> = {
  'control.copy': '复制',
  'control.copied': '已复制',
  'control.not-copied': '浏览器不允许',
  'control.back': '返回对话',
}

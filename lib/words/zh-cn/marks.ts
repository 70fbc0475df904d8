import type { Translated } from '@/lib/base/reader'

/** What a text holds that does not show what it is: `lib/base/foreign-text/mark-words.ts`. */
export const marksZh: Readonly<Record<string, Translated>> = {
  'base.marks.invisible': '{count, number} 个不可见字符',
  'base.marks.direction': '{count, number} 个改变文字排列方向的字符',
  'base.marks.control': '{count, number} 个控制字符',
  'base.marks.line-end': '{count, number} 个不常见的换行符',
  'base.marks.blank': '{count, number} 处不常见的空白',
  'base.marks.look-alike': '{count, number} 个看起来像其他字符的字符：{letters, list}{more, select, true {…} other {}}',
  'base.marks.meaningless': '{count, number} 个没有含义的字符',
  'base.marks.piled': '{count, number} 个难以分辨的附加符号',
  'base.marks.several': '{others, list}和 {last}',
  'base.marks.held': '其中含有 {words}。',
}

import type { Translated } from '@/lib/base/reader'

export const uiPartsZh: Readonly<Record<string, Translated>> = {
  'ui.broke': '{what}出错了。你的消息和文件都已保留。',
  'ui.old': '{what}已无法加载：Nod 已更新。请在处理完手头的事后重新加载页面。',
  'ui.missing': '{what}未能加载。请检查网络连接；会自动重试。',
  'ui.reload': '重新加载',
  'ui.again': '重试',
  'ui.close': '关闭',
  'ui.page-failed': '此页面出错了',
  'ui.page-kept': '你的消息保存在服务器上，你输入的内容保存在此浏览器中。请重试，或重新加载页面。',
  'ui.more-characters': '再显示 {more, number} 个字符（还剩 {left, number} 个）',
  'ui.blanks': '{count, number} 个空白',
  'ui.mark':
    '{label}：{kind, select, invisible {不显示} direction {改变文字的排列方向} control {控制字符} line_end {在某些语言中表示换行} blank {空白} look_alike {看起来像另一个字符} meaningless {没有通用含义} other {难以分辨的附加符号}}',
}

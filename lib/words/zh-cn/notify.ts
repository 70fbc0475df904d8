import type { Translated } from '@/lib/base/reader'

export const notifyZh: Readonly<Record<string, Translated>> = {
  'notify.ask': '这需要一些时间。较长的回复完成时，如果你在看别处，要让系统通知你吗？',
  'notify.yes': '通知我',
  'notify.no': '不用',
  'notify.title': 'Nod',
  'notify.setting': '较长的回复完成时通知我',
  'notify.about': '你在看其他页面时，由系统通知。通知只写明对话名称和回复如何结束，不含回复内容。',
  'notify.blocked': '此浏览器不允许 Nod 发送通知。可以在浏览器的网站设置中更改。',
  'notify.heading': '通知',
}

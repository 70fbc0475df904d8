import type { Translated } from '@/lib/base/reader'

export const deliveryZh: Readonly<Record<string, Translated>> = {
  'delivery.no-cookies': '此浏览器阻止了此网站的 Cookie。请在浏览器的网站设置中允许 Cookie，然后重试。',
  'delivery.went-on': '此对话在此期间已继续：你的消息排在新增内容之后。',
  'delivery.had-arrived': '你先前写的内容其实已经送达，就在对话中。你可以把这条也发送、修改或放弃。',
  'delivery.chat-deleted': '在你的消息发送之前，对话已在别处被删除。你的内容在新对话的输入框中。',
}

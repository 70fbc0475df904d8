import type { Translated } from '@/lib/base/reader'

export const placeZh: Readonly<Record<string, Translated>> = {
  'place.insecure':
    'Nod 需要 HTTPS 或 localhost：通过普通 http 打开时，此浏览器没有锁和隔离框架，因此调用只能查看，不能运行。请用 https 地址打开此页面，或在服务器本机上用 localhost 打开。',
  'place.no-chat': '没有这个对话',
  'place.no-chat-why': '它可能已被删除，或属于另一个浏览器：对话只对创建它的浏览器可见。',
  'place.no-chat-new': '开始新对话',
}

import type { Translated } from '@/lib/base/reader'

export const placeZh: Readonly<Record<string, Translated>> = {
  'place.insecure':
    'Nod 需要 HTTPS 或 localhost：通过普通 http 打开时，此浏览器没有锁和隔离框架，因此调用只能查看，不能运行。请用 https 地址打开此页面，或在服务器本机上用 localhost 打开。',
  'place.no-cookies':
    '此浏览器阻止了 {site} 的 Cookie 和网站数据。没有 Cookie，Nod 无法识别哪些对话属于你，因此无法发送消息。请在浏览器的网站设置中允许 {site} 使用 Cookie，然后重新加载页面。',
  'place.no-storage':
    '此浏览器阻止了 {site} 的网站数据。{what, select, words {草稿和未发送的消息会在页面关闭后丢失。} files {对话中的文件和你添加的模型无法保存。} other {草稿和未发送的消息会在页面关闭后丢失；对话中的文件和你添加的模型无法保存。}}请在浏览器的网站设置中允许 {site} 保存网站数据，然后重新加载页面。',
  'place.no-chat': '没有这个对话',
  'place.no-chat-why': '它可能已被删除，或属于另一个浏览器：对话只对创建它的浏览器可见。',
  'place.no-chat-new': '开始新对话',
}

import type { Translated } from '@/lib/base/reader'

export const clientZh: Readonly<Record<string, Translated>> = {
  'client.aborted': '已停止。',
  'client.unreachable': '无法连接服务器。',
  'client.broke-off': '服务器的响应中断了。请重试。',
  'client.empty-answer': '服务器的响应为空。',
  'client.refused': '服务器拒绝了此请求（{status}）。',
  'client.broken': '此页面出了问题。请重新加载；你的消息不会丢失。',
  'client.part-missing': 'Nod 的一部分未能加载，因此什么也没有发生。请检查网络连接后重试。',
  'client.still-waits': '你还有一条消息等待发送。刚才输入的内容保留在输入框中。',
  'client.not-stopped': '{why}回复会继续。',
  'client.settings-not-saved': '{why}设置没有保存。',
  'client.models-not-listed': '{why}模型列表仍是之前的。',
}

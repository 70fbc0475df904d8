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
  'client.went-on': '此对话在此期间已继续：你的消息排在新增内容之后。',
  'client.had-arrived': '你先前写的内容其实已经送达，就在对话中。你可以把这条也发送、修改或放弃。',
  'client.chat-deleted': '在你的消息发送之前，对话已在别处被删除。你的内容在新对话的输入框中。',
  'client.not-stopped': '{why}回复会继续。',
  'client.not-renamed': '{why}标题没有更改。',
  'client.not-deleted': '{why}对话没有删除。',
  'client.settings-not-saved': '{why}设置没有保存。',
  'client.models-not-listed': '{why}模型列表仍是之前的。',
  'client.calls-wait': '{count, number} 个调用等待你确认',
  'client.write-on-skips': '会跳过 {count, number} 个等待中的调用',
  'client.write-on-keeps': '不会把 {count, number} 个等待中的结果交给模型',
  'client.write-on-goes-on': '不会停止 {count, number} 个尚未返回的调用：现在会告知模型，其结局随之后的消息告知',
  'client.write-on': '另写新消息{what, clauses}。',
  'client.paste-waits': '等待粘贴',
  'client.paste-interrupted':
    '在粘贴之前，等待它的标签页被关闭、重新加载，或与服务器断开超过几秒。点击“重试”可找回提示词，以及在此标签页中粘贴过的内容。',
}

import type { Translated } from '@/lib/base/reader'

export const waitingZh: Readonly<Record<string, Translated>> = {
  'waiting.paste-interrupted':
    '在粘贴之前，等待它的标签页被关闭、重新加载，或与服务器断开超过几秒。点击“重试”可找回提示词，以及在此标签页中粘贴过的内容。',
  'waiting.calls': '{count, number} 个调用等待你确认',
  'waiting.skips': '会跳过 {count, number} 个等待中的调用',
  'waiting.keeps': '不会把 {count, number} 个等待中的结果交给模型',
  'waiting.goes-on': '不会停止 {count, number} 个尚未返回的调用：现在会告知模型，它们如何结束会随之后的消息告知',
  'waiting.write-on': '另写新消息{what, clauses}。',
}

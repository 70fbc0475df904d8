import type { Translated } from '@/lib/base/reader'

export const windowZh: Readonly<Record<string, Translated>> = {
  'window.trimmed':
    '此对话中较早的 {messages, number} 条消息没有发送给模型：它们超出了 {windowTokens, number} token 的上下文窗口。',
  'window.bounded':
    '此对话中较早的 {messages, number} 条消息没有发送给模型。此模型的上下文窗口大小未知，最多向它发送 {windowTokens, number} token。',
}

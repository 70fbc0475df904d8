import type { Translated } from '@/lib/base/reader'

export const useZh: Readonly<Record<string, Translated>> = {
  'use.budget':
    '今天{mine, select, true {你} other {服务器}}{models, select, all {} other {用于 {models} }}的 {limit, number} token 中还剩 {left, number}。',
  'use.resets': '额度将在{hours, plural, =0 {不到一小时} other { # 小时}}后（UTC 午夜）重新计算。',
  'use.kept':
    '服务器保存着你的 {chats, number} 个对话，共 {messages, number} 条消息：{bytes, bytes}{maxBytes, select, null {} other {，上限 {maxBytes, bytes}}}{presets, plural, =0 {} other {，以及 # 个预设}}。',
  'use.retention': '{days, number} 天无人使用的对话会连同其全部内容一起删除。请导出想保留的内容。',
  'use.question':
    '{chats, number} 个对话和 {messages, number} 条消息（{bytes, bytes}）将从服务器上永久删除，{presets, plural, =0 {新对话的初始设置} other {# 个预设和新对话的初始设置}}也一并删除；此浏览器中的相关文件、已输入的内容、等待发送的内容、它的模型（连同密钥和权重）以及你的实验也会删除。正在生成的回复会停止。此操作无法撤销。',
  'use.half-done': '{why}其中一部分可能已经删除；重试即可删除其余部分。',
  'use.files-stay': '对话已从服务器删除。但此浏览器未能释放全部文件、模型或实验：请关闭 Nod 的其他标签页后重试。',
  'use.would-refuse':
    '现在发送会被拒绝：约需 {needs, number} token，而今天{mine, select, true {你的额度} other {服务器的额度}}{models, select, all {} other {（{models}）}}还剩 {left, number}。{models, select, all {} other {其他模型可能还有额度。}}你输入的内容会保留。',
  'use.kept-until':
    '此对话保留至 {day}：{days, number} 天无人使用的对话会连同其全部内容一起删除。发送新消息可继续保留。',
}

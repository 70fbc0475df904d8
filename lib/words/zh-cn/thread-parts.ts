import type { Translated } from '@/lib/base/reader'

export const threadPartsZh: Readonly<Record<string, Translated>> = {
  'thread-part.message': '此消息的视图',
  'thread-part.trimmed': '关于发送内容的说明',
  'thread-part.exact': '关于回复格式的说明',
  'thread-part.lost': '关于丢失内容的说明',
  'thread-part.queue': '排队位置',
  'thread-part.paste': '复制和粘贴',
  'thread-part.save': '保存代码的面板',
  'thread-part.compaction': '关于略去消息的说明',
  'thread-part.on-paper':
    '这里只打印了此对话当时显示的部分。在对话中按 Ctrl+P 或 ⌘P，或在命令面板中选择“打印整个对话”，即可打印全部内容。',
}

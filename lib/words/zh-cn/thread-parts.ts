import type { Translated } from '@/lib/base/reader'

export const threadPartsZh: Readonly<Record<string, Translated>> = {
  'thread-part.message': '此消息的视图',
  'thread-part.trimmed': '关于发送内容的说明',
  'thread-part.exact': '关于回复格式的说明',
  'thread-part.queue': '排队位置',
  'thread-part.paste': '复制和粘贴',
  'thread-part.save': '保存代码的面板',
  'thread-part.compaction': '关于略去消息的说明',
}

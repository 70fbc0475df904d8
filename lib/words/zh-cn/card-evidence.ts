import type { Translated } from '@/lib/base/reader'

export const cardEvidenceZh: Readonly<Record<string, Translated>> = {
  'card-evidence.code': '代码',
  'card-evidence.arguments': '参数',
  'card-evidence.new-text': '{path} 的新内容',
  'card-evidence.change': '对 {path} 的更改',
  'card-evidence.same': '文件内容已经与此完全相同。',
  'card-evidence.all-files': '显示全部 {files, number} 个文件',
  'card-evidence.unlisted': '还有 {count, number} 个',
  'card-evidence.more': '再显示 {count, number} 项',
  'card-evidence.beside': '一同发送的内容',
  'card-evidence.result': '结果',
  'card-evidence.result-of': '结果：{name}',
  'card-evidence.rows': '{rows, number} 行',
  'card-evidence.rows-of': '{name}，{rows, number} 行',
  'card-evidence.table': '表格',
  'card-evidence.tree': '树',
  'card-evidence.why': '{all, sentences}',
  'card-evidence.no-why': '它失败了，但没有说明原因。',
}

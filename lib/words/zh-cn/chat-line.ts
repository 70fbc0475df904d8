import type { Translated } from '@/lib/base/reader'

export const lineZh: Readonly<Record<string, Translated>> = {
  'line.pinned': '已置顶',
  'line.archived': '已归档',
  'line.more': '“{title}”的更多操作',
  'line.rename': '重命名“{title}”',
  'line.delete': '删除“{title}”',
  'line.today': '今天',
  'line.week': '最近一周',
  'line.before': '更早',
  'line.queued': '排队中',
  'line.writing': '正在回复',
  'line.paste-waits': '等待粘贴',
}

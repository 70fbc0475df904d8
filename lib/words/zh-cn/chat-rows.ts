import type { Translated } from '@/lib/base/reader'

export const rowsZh: Readonly<Record<string, Translated>> = {
  'rows.pinned': '已置顶',
  'rows.archived': '已归档',
  'rows.commands': '命令',
  'rows.shortcuts': '键盘快捷键',
  'rows.loading': '正在加载你的对话…',
  'rows.older': '更早的对话',
  'rows.older-failed': '未能加载。重试',
  'rows.organise': '整理对话',
  'rows.part-search': '消息搜索',
  'rows.part-organise': '对话整理列表',
  'rows.part-long': '长对话列表',
  'rows.part-menu': '对话菜单',
  'rows.part-undo': '撤销删除',
  'rows.more': '“{title}”的更多操作',
}

import type { Translated } from '@/lib/base/reader'

export const rowsZh: Readonly<Record<string, Translated>> = {
  'rows.commands': '命令',
  'rows.shortcuts': '键盘快捷键',
  'rows.loading': '正在加载你的对话…',
  'rows.organise': '整理对话',
  'rows.part-search': '消息搜索',
  'rows.part-organise': '对话整理列表',
  'rows.part-long': '长对话列表',
  'rows.part-menu': '对话菜单',
  'rows.label': '对话列表',
  'rows.search': '搜索',
  'rows.search-name': '搜索对话',
  'rows.none': '你的对话会显示在这里。',
  'rows.none-found': '没有名为“{query}”的对话。',
  'rows.playground': '试验台',
  'rows.lab': '调用格式实验室',
  'rows.import': '导入对话',
  'rows.account': '账户',
  'rows.part-import': '对话导入',
  'rows.part-title': '标题输入框',
}

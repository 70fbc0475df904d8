import type { Translated } from '@/lib/base/reader'

export const cardFilesZh: Readonly<Record<string, Translated>> = {
  'card-files.list': '更改的文件',
  'card-files.more': '还有 {count, number} 个',
  'card-files.change.created': '新建',
  'card-files.change.changed': '更改',
  'card-files.change.deleted': '删除',
  'card-files.loading': '正在加载文件…',
  'card-files.no-text': '它不是文本，或太大，无法在此比较。',
  'card-files.diff': '{path} 的更改',
  'card-files.paths': '{count, number} 个路径',
  'card-files.count':
    '{files, plural, =0 {} other {# 个文件}}{both, select, true {和 } other {}}{folders, plural, =0 {} other {# 个文件夹}}',
  'card-files.kept': '它更改了 {what}。',
  'card-files.not-kept': '它的更改（{what}）没有保留：文件和之前一样。',
}

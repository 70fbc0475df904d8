import type { Translated } from '@/lib/base/reader'

export const leavingZh: Readonly<Record<string, Translated>> = {
  'leaving.files': '此消息的文件',
  'leaving.document':
    '{tense, select, did {不读取 {format} 文档内容：只发送了名称和大小} other {不读取 {format} 文档内容：只发送名称和大小}}',
  'leaving.name': '{tense, select, did {只发送了名称和大小} other {只发送名称和大小}}',
  'leaving.picture': '图片会发送给能看图的模型',
  'leaving.whole': '{tense, select, did {全部内容已发送} other {发送全部内容}}',
  'leaving.first': '{tense, select, did {已发送开头的 {bytes, bytes}} other {发送开头的 {bytes, bytes}}}',
}

import type { Translated } from '@/lib/base/reader'

export const toolFactsZh: Readonly<Record<string, Translated>> = {
  'permission.public': '无害',
  'permission.moderate': '中等',
  'permission.sensitive': '敏感',
  'tag.code': '代码',
  'tag.files': '文件',
  'tag.time': '时间',
  'tag.user': '用户',
  'tag.your own server': '你自己的服务器',
  'tag.other': '其他',
}

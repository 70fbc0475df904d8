import type { Translated } from '@/lib/base/reader'

export const unzipZh: Readonly<Record<string, Translated>> = {
  'files-unzip.part': '解压 zip',
  'files-unzip.label': '导入 {name}',
  'files-unzip.ask': '解压 {name}？',
  'files-unzip.would-come': '{files, number} 个文件（{size, bytes}）将放入 {folder}。',
  'files-unzip.taken': '{folder} 中已有{count, plural, =1 { {name}} other { # 个同名项目}}。',
  'files-unzip.on-clash': '如何处理已有的名称',
  'files-unzip.keep-both': '都保留',
  'files-unzip.replace': '替换',
  'files-unzip.files': 'zip 中的文件',
  'files-unzip.and-more': '还有 {count, number} 个',
  'files-unzip.left-out': '略过了 {count, number} 项：',
  'files-unzip.left-out-label': '略过的项目',
  'files-unzip.cancel': '取消',
  'files-unzip.keep': '保留为文件',
  'files-unzip.do': '解压到此处',
  'files-unzip.unreadable': '无法读取此 zip。请检查网络连接后重试。',
}

import type { Translated } from '@/lib/base/reader'

export const attachZh: Readonly<Record<string, Translated>> = {
  'attach.too-big': '{path} 未附加：它有 {size, bytes}，而单个文件最大为 {most, bytes}。',
  'attach.unreadable': '无法读取 {path}，因此未附加。',
  'attach.refused': '{path} 未附加。{why}',
  'attach.folder-refused': '{folder}（{files} 个文件）未附加。{why}',
  'attach.without-marks': '{path} 已附加，但去掉了其名称中不可见的字符。',
  'attach.too-many':
    '{left, plural, =1 {{first} 未附加} other {其中 # 个未附加}}：一条消息最多带 {most} 个文件。工作区中的文件无需附加即可读取。',
  'attach.gone': '{name} 已不在此对话的文件中，因此没有发送。请在此移除它，或重新附加。',
  'attach.unreadable-now': '无法读取 {name}，因此没有发送。请在此移除它，或重新附加。',
}

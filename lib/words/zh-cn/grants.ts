import type { Translated } from '@/lib/base/reader'

export const grantsZh: Readonly<Record<string, Translated>> = {
  'grants.title': '你已允许的内容',
  'grants.none': '除单次调用外，你没有允许任何内容。',
  'grants.paused': '每个调用都等你点击时，这些都不会自动运行。',
  'grants.allowed':
    '你允许了：{scope}，{age}，{uses, plural, =0 {尚未使用} other {已使用 # 次}}{left, select, null {} other {，剩余 {left}}}。',
  'grants.take-back': '收回',
  'grants.take-back-of': '收回：{scope}',
  'grants.stands': '它仍然有效。{why}',

  'grants.all.unreadable': '已无法读取的内容，因此它不允许任何操作',
  'grants.all.tool': '{tool} 的所有调用',
  'grants.all.folder': '{tool} 在 {folder} 及其下所有内容中的调用',
  'grants.all.arguments': '参数相同的 {tool} 调用（{label}）',
  'grants.all.arguments-name': '参数相同的 {tool} 调用，{label}',

  'grants.unreadable': '已无法读取的内容',
  'grants.arguments': '{tool} 的这一次调用',
  'grants.folder': '{tool} 的调用（{folder}）',
  'grants.tool': '{tool} 的所有调用',
  'grants.every-folder': '此对话的所有文件夹',
  'grants.below': '{folder} 及其下所有内容',
  'grants.minutes': '{count, number} 分钟',
  'grants.hours': '{count, number} 小时',
  'grants.days': '{count, number} 天',
}

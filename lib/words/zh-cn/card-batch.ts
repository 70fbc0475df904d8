import type { Translated } from '@/lib/base/reader'

export const batchZh: Readonly<Record<string, Translated>> = {
  'batch.said': '{said, sentences}',
  'batch.select': '选择',
  'batch.continue': '继续',
  'batch.skip': '跳过',
  'batch.send-done': '发送已完成的',
  'batch.run-selected': '运行所选',
  'batch.deny-rest': '拒绝其余',
  'batch.run-all': '全部运行',
  'batch.deny-all': '全部拒绝',
  'batch.unseen': '其中 {count, number} 个没有完整显示过。现已展开：看过之后再按一次。',
  'batch.failed': '{tool} 失败。“继续”会运行其余的，“跳过”会跳过{next, select, empty {下一个} other { {next}}}。',
  'batch.how':
    '{sideBySide, select, true {它们并行运行，最多同时 {most, number} 个} other {它们按此顺序运行}}；所有结果由一条消息带回。',
  'batch.limit':
    '“{button}”只运行 {of, number} 个中的前 {runs, number} 个：此对话中每个回复最多运行 {limit, number} 个调用。',
  'batch.left-out': '“全部运行”不包括{what, and}。',
  'batch.left-out.guess': '靠推测读取的 {count, number} 个',
  'batch.left-out.marks': '含有难以辨认的字符的 {count, number} 个',
  'batch.left-out.repeats': '已出现五次的 {count, number} 个',
  'batch.stop-at-failure': '遇到失败即停止',
  'batch.cancelled': '{count, number} 个调用已取消',
  'batch.run-after-all': '仍然运行',
  'batch.cancelled-why': '你停止了它们前面的一个调用，因此它们没有运行。之前完成的内容会保留。',
  'batch.select-one': '选择 {tool}，第 {place} 个，共 {count} 个',
  'batch.earlier': '提前运行 {tool}',
  'batch.later': '推后运行 {tool}',
  'batch.held': '继续会运行 {count, number} 个本会自动运行的调用：{tools, list}。',
}

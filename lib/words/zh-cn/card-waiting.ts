import type { Translated } from '@/lib/base/reader'

export const cardWaitingZh: Readonly<Record<string, Translated>> = {
  'card-waiting.run': '运行 {tool}',
  'card-waiting.as-written': '模型写的原文',
  'card-waiting.files-changed': '等待期间文件发生了变化。这里显示的是现在运行会产生的效果。',
  'card-waiting.look-again': '还有内容没有看到：请看完后再按一次。',
  'card-waiting.more-marked': '此调用中另有 {count} 处同样如此。',
  'card-waiting.marks': '{marks}只能在此卡片上点击运行。',
  'card-waiting.files': '文件：{files, select, none {不访问} read {读取} other {写入}}',
  'card-waiting.network': '网络：{network, select, off {关闭} other {自己的服务器}}',
  'card-waiting.repairs': '{count, number} 处修复：{repairs, clauses}',
  'card-waiting.more-changes': '还有 {count, number} 处同类改动',
  'card-waiting.via': '格式 {strategy}',
  'card-waiting.asked': '模型已请求此调用 {times}。{clickOnly, select, true {只能在此卡片上点击运行。} other {}}',
  'card-waiting.over-limit':
    '此对话中每个回复最多运行 {limit, number} 个调用。如果前面的 {ahead, number} 个运行了，这个就不会运行。',
  'card-waiting.guess': '靠推测读取',
  'card-waiting.guess-about':
    '文本中的引号没有转义，因此它在哪里结束是推测的。红色是原文，绿色是读取的结果。按“运行”即接受这种读法。',
  'card-waiting.guess-compared': '原文与读取结果',
  'card-waiting.all-places': '{all, number} 处更改。取消勾选应保持原样的部分。',
  'card-waiting.some-places': '更改 {all, number} 处中的 {count, number} 处。取消勾选应保持原样的部分。',
  'card-waiting.take-all': '全部采用',
  'card-waiting.place': '更改 {place, number} / {all, number}',
  'card-waiting.place-left': '不采用：更改 {place, number} / {all, number}',
}

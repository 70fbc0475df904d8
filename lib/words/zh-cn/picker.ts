import type { Translated } from '@/lib/base/reader'

export const pickerZh: Readonly<Record<string, Translated>> = {
  'picker.search': '搜索模型',
  'picker.models': '模型',
  'picker.recent': '最近选择',
  'picker.browser': '此浏览器中',
  'picker.looking': '正在查找模型…',
  'picker.none': '没有名为“{query}”的模型。',
  'picker.found': '共 {all, number} 个模型，找到 {found, number} 个',
  'picker.more': '还有 {count, number} 个：输入文字可缩小范围。',
  'picker.elsewhere': '此处不可用：它已被移除、它的服务器没有响应，或它在另一个浏览器中。',
  'picker.failed': '它在此对话中的上一条回复失败了。{why}',
  'picker.window': '{tokens, number} token',
  'picker.price': '每百万 token：输入 {sent}，输出 {written}',
  'picker.exact': '精确',
  'picker.grammar': '支持语法约束',
  'picker.schema': '仅 {strategy} 可精确',
  'picker.best-with':
    '实测最适合 {strategy}{by, select, null {} empty {（由未署名的人测得）} other {（由 {by} 测得）}}',
  'picker.add': '添加模型…',
  'picker.again': '重新询问',
  'picker.asking': '正在询问…',
  'picker.missing': '缺少的模型',
  'picker.todays-tokens': '今日 token',

  'picker.formats': '调用格式',
  'picker.formats-why': '模型书写调用的方式。更改后对话会保留：较早的调用会以新格式转述给模型。',
  'picker.formats-off': '此对话关闭了工具，因此没有使用任何调用格式。可在对话设置中打开工具。',
  'picker.best': '{by, select, null {此处实测最佳} empty {未署名的人实测最佳} other {{by} 实测最佳}}',
  'picker.sample': '{strategy} 的调用示例',
  'picker.no-sample': '没有文本：调用随回复一同送达，由模型的服务商书写。',
  'picker.measure': '测量此模型最适合哪一种',
}

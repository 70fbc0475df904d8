import type { Translated } from '@/lib/base/reader'

/** "write_file /a、write_file /b 等 4 个" */
const namesOf = (names: readonly string[], count: number): string =>
  `${names.join('、')}${count > names.length ? ` 等 ${count} 个` : ''}`

export const cardsZh: Readonly<Record<string, Translated>> = {
  'card.run': '运行',
  'card.edit': '编辑',
  'card.deny': '拒绝',
  'card.more': '更多',
  'card.deny-with-reason': '拒绝并说明理由…',
  'card.show-raw': '显示模型写的原文',
  'card.hide-raw': '显示它会做什么',
  'card.show-all': '显示全部',
  'card.show-unchanged': '同时显示未更改的行',
  'card.in-parts': '选择部分更改…',
  'card.details': '显示详情',
  'card.one-line': '收起',
  'card.copy': '复制',
  'card.copied': '已复制',
  'card.not-copied': '浏览器不允许复制。',
  'card.undo-change': '撤销你的修改',
  'card.undo-lift': '重新视为非调用',
  'card.remember': '不再询问…',
  'card.remember-lead': '运行此调用。在此对话之后的回复中，以下内容无需询问即可运行：',
  'card.remember-lead-for': '运行此调用。在此对话之后的回复中，{span}内，以下内容无需询问即可运行：',
  'card.remember-call': '仅此调用',
  'card.remember-folder': '{folder}中的 {tool}',
  'card.remember-tool': '所有 {tool}',
  'card.remember-waits-on': '{what}；现在等待的 {count, number} 个继续等待',
  'card.remember-and-run': ({
    what,
    count,
    names,
  }: {
    readonly what: string
    readonly count: number
    readonly names: readonly string[]
  }) => `${what}，并立即运行等待中的 ${count} 个：${namesOf(names, count)}`,
  'card.reason': '理由',
  'card.reason-hint': '为什么拒绝？会告知模型。',
  'card.add-reason': '添加理由',
  'card.give-reason': '添加',
  'card.back': '返回',
  'card.tell-now': '立即告知',
  'card.denied': '你拒绝了它。',
  'card.denied-because': '你拒绝了它：“{reason}”',
  'card.denied-told': '没有运行任何内容。已告知模型。',
  'card.denied-told-why': '没有运行任何内容。已将你的理由告知模型。',
  'card.denied-untold': '没有运行任何内容。尚未告知模型。',
  'card.reason-late': '模型在添加理由之前已被告知，因此不知道这个理由。',
  'card.reason-into-message': '放进我的消息',
  'card.reason-as-message': '我拒绝了 {tool}，因为：{reason}',
  'card.lines': '新增 {added, number} 行，删除 {removed, number} 行',
  'card.values': '{count, number} 个值',
  'card.show': '显示',
  'card.hide': '隐藏',
  'card.first': '看看模型写了什么',
  'card.first-wrote': '模型写了这段文字',
  'card.first-became': 'Nod 按 {strategy} 的规则读取了它，并征求你的意见',
  'card.first-told': '模型不能调用工具，它只能写字。Nod 告诉它怎么写，而在你按下“运行”之前什么都不会运行。',
  'card.first-close': '知道了',
}

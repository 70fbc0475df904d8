import { numberWords } from '@/lib/base/locale'
import type { Translated } from '@/lib/base/reader'

export const exactZh: Readonly<Record<string, Translated>> = {
  'exact.about':
    '有些服务器可以让模型遵守语法约束：正文保持自由，而一旦开始调用，就只能是正确的调用。另一些接受 JSON Schema，它会约束整个回复。',
  'exact.form': '让回复遵守 {strategy} 的格式',
  'exact.said-refused':
    '{model} 的{by, select, engine {引擎} other {服务器}}拒绝了 {strategy} 的{takes, select, grammar {语法} other { JSON Schema }}约束，因此这个回复是在没有约束的情况下生成的。其中的调用照常读取，并尽可能修复。',
  'exact.said-ignored':
    '{model} 的{by, select, engine {引擎} other {服务器}}忽略 {strategy} 的{takes, select, grammar {语法} other { JSON Schema }}约束，因此回复在没有约束的情况下生成。调用照常读取，并尽可能修复。',
  'exact.said-broken':
    '这个回复被要求遵守 {strategy} 的{takes, select, grammar {语法} other { JSON Schema }}约束，但没有做到：{model} 的{by, select, engine {引擎} other {服务器}}只部分执行约束。运行前请查看其中的调用。',
  'exact.native': 'Native 把调用的形式交给服务器处理：这里无需约束。',
  'exact.no-tools': '工具已关闭，因此没有调用需要约束。',
  'exact.unknown-model': '该模型目前不在列表中。',
  'exact.none': '没有已知的方法向 {model} 的服务器提供语法约束。调用照常读取，并尽可能修复。',
  'exact.schema-only':
    '{model} 的服务器接受 JSON Schema，它会约束整个回复，而只有 {strategy} 能用 JSON 表达整个回复。选择 {strategy} 即可让回复受其约束。',
  'exact.off-whole':
    '默认关闭，除非你手动开启：{model} 的服务器接受 JSON Schema，整个回复会成为 JSON。正文仍按正文显示；切换会改变系统提示词。',
  'exact.whole': '回复以 JSON 形式返回，正文和调用都是如此，正文仍按正文显示。',
  'exact.untried': '下一个回复会先向 {model} 提一个简短的问题，以确认其服务器是否执行约束。',
  'exact.honoured':
    '{model} 的{by, select, engine {引擎} other {服务器}}执行约束：调用只能使用此对话的工具，且参数类型正确。{by, select, engine {这会使它的输出慢约五分之一；关闭后，调用照常读取和修复。} other {}}',
  'exact.half':
    '{model} 的{by, select, engine {引擎} other {服务器}}接受了约束但没有遵守。仍会要求约束；不符合的回复不会标为精确。',
  'exact.ignored':
    '{model} 的{by, select, engine {引擎} other {服务器}}忽略约束，因此回复照常生成。过一段时间会再次尝试。',
  'exact.refused':
    '{model} 的{by, select, engine {引擎} other {服务器}}拒绝了约束，因此回复照常生成。过一段时间会再次尝试。',
  'exact.off-here': '默认关闭，除非你手动开启：向 {model} 提问可能产生费用，或其服务器类型未知。',
  'lost.said':
    '此回复中有 {count} 处出现 �，这个符号表示收到的字节不是文本。除非模型本来就要写这个符号，否则那里的内容已经丢失{wasExact, select, true {，因此此回复不标为精确} other {}}。{by, select, person {运行调用前请查看那里，或重新复制一次回复。} engine {运行调用前请查看那里，或重新生成；如果反复出现，请换用此模型的另一个文件。} other {运行调用前请查看那里，或重新生成；如果反复出现，{model} 的服务器可能需要更新。}}',
  'reuse.some': ({ tokens, cached }: { readonly tokens: number; readonly cached: number }) =>
    `上一个提示词的 ${numberWords(tokens)} token 中，服务器仍缓存着 ${numberWords(cached)}（${Math.round((100 * cached) / Math.max(1, tokens))}%）。`,
  'reuse.unsaid': '服务器没有说明上一个提示词还缓存了多少。',
  'reuse.why': '更换模型、调用格式、工具或系统提示词会使它全部重新读取。',
}

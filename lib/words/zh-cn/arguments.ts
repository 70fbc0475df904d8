import type { Translated } from '@/lib/base/reader'

/** Types of JSON Schema. */
const types: Readonly<Record<string, string>> = {
  string: '文本',
  number: '数字',
  integer: '整数',
  boolean: 'true 或 false',
  array: '列表',
  object: '对象',
  value: '某个值',
}
const typeOf = (name: string): string => types[name] ?? name
const typesOf = (names: readonly string[]): string =>
  [...new Set(names.flatMap((one) => one.split(' or ')))].map(typeOf).join('或')

/** What is wrong with arguments, and what was changed in them: `lib/strategies/argument-words.ts`. */
export const argumentsZh: Readonly<Record<string, Translated>> = {
  'argument.type':
    '应为{wanted, select, string {文本} number {数字} integer {整数} boolean { true 或 false} array {列表} object {对象} other { {wanted}}}，而不是{given, select, string {文本} number {数字} boolean { true 或 false} array {列表} object {对象} other { {given}}}',
  'argument.enum': '应为以下之一：{options, list}',
  'argument.const': '应为 {value}',
  'argument.minimum': '不能小于 {bound}',
  'argument.maximum': '不能大于 {bound}',
  'argument.exclusiveMinimum': '必须大于 {bound}',
  'argument.exclusiveMaximum': '必须小于 {bound}',
  'argument.multipleOf': '必须是 {bound} 的倍数',
  'argument.minLength': '至少需要 {bound} 个字符',
  'argument.maxLength': '最多 {bound} 个字符',
  'argument.minItems': '至少需要 {bound} 项',
  'argument.maxItems': '最多 {bound} 项',
  'argument.uniqueItems': '不能有重复的项',
  'argument.pattern': '应匹配模式 {value}',
  'argument.format': '应为有效的 {value}',
  'argument.not': '不能是这个值',
  'argument.misplaced': '位于另一个参数内，无法确定其位置',
  'argument.one-of': ({ types: names }: { readonly types: readonly string[] }) => `应为${typesOf(names)}`,
  'argument.required': ({ types: names }: { readonly types: readonly string[] }) =>
    `是必填的${names.length > 0 ? `（${typesOf(names)}）` : ''}`,
  'unchecked.all': '参数',
  'unchecked.one': '{word}（{what}）',
  'unchecked.first': '未检查：{one}',
  'unchecked.next': '、{one}',
  'unchecked.more': '，另有 {count, number} 项',
  'coercion.all': '参数',
  'coercion.became': '{what} 原本写成文本，已转为 {value}',
  'coercion.to-string': '{what} 已转为文本 {value}',
  'coercion.to-null': '{what} 已转为 null',
  'coercion.to-object': '{what} 是写成文本的 JSON，已转为对象',
  'coercion.list-of-text': '{what} 是写成文本的 JSON，已转为列表',
  'coercion.list-of-wrapped': '{what} 多包了一层，已转为列表',
  'coercion.list-of-single': '{what} 已转为只有一项的列表',
  'coercion.big-integer-kept': '{what} 超出数字的范围，已按原样保留各位数字',
  'coercion.key-mapped': '{what} 按 {to} 读取',
  'coercion.key-vcp': '{what} 是 VCPToolBox 对 {to} 的叫法',
  'coercion.no-parameter': '{what} 不是参数，已略去',
  'coercion.not-allowed': '{what} 不能用作键，已略去',
  'coercion.default-dropped': '{what} 为{was, select, null { null} other {空}}，已略去',
}

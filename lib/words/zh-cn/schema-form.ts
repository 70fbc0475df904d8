import type { Translated } from '@/lib/base/reader'

export const schemaFormZh: Readonly<Record<string, Translated>> = {
  'form.no-arguments': '此工具不需要参数。',
  'form.issue': '{issue}。',
  'form.issue-at': '{path} {issue}。',
  'form.issue-all': '参数{issue}。',
  'form.optional': '可不填',
  'form.not-set': '未设置',
  'form.none-of-them': '{value}（不在选项中）',
  'form.item': '{name} {number}',
  'form.remove': '移除 {name} {number}',
  'form.add': '添加到 {name}',
}

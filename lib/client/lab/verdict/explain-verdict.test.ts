import { expect, it } from 'vitest'
import { inChinese } from '@/components/ui/testing/in-chinese'
import { labWhy, explainVerdict } from '@/lib/client/lab/lab-why'
import { makeModelMessage } from '@/lib/i18n/t'

it('describes a wrong argument in the reader’s language, or in the stored text if there is only that', () => {
  const { reason, values, message } = makeModelMessage('argument.type', { wanted: 'integer', given: 'string' })
  const told = { name: 'add', argument: 'a', problem: message }
  const why = labWhy('lab.why.invalid', { ...told, issue: { reason, values } })
  expect(explainVerdict(why)).toBe('The arguments of add do not match the tool: a must be an integer, not a string.')
  inChinese()
  expect(explainVerdict(why)).toBe('add 的参数不符合该工具：a 应为整数，而不是文本。')
  expect(explainVerdict(labWhy('lab.why.invalid', told))).toContain('must be an integer')
})

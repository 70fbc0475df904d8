import { expect, it } from 'vitest'
import { z } from 'zod'
import { textOfKey } from '@/lib/i18n/t'
import { wrongForm } from '@/lib/i18n/wrong-form'

const schema = z.strictObject({
  name: z.string().min(2).max(5).optional(),
  count: z.int().min(1).max(9).optional(),
  list: z.array(z.string()).max(1).optional(),
  kind: z.enum(['a', 'b']).optional(),
})

it.each([
  [{ name: 5 }, 'at name: it must be of type string.', '（位于 name）：类型应为文本。'],
  [{ name: 'abcdefg' }, 'it is more than 5 characters.', '超过了 5 个字符。'],
  [{ name: 'a' }, 'it is less than 2 characters.', '少于 2 个字符。'],
  [{ count: 10 }, 'it is more than 9.', '超过了 9。'],
  [{ count: 0 }, 'it is less than 1.', '少于 1。'],
  [{ list: ['a', 'b'] }, 'it is more than 1 items.', '超过了 1 项。'],
  [{ kind: 'c' }, 'it must be one of "a" | "b".', '应为 "a" | "b" 之一。'],
  [{ more: 1 }, '"more" is not a known field.', '没有名为 "more" 的项。'],
  [[], 'it must be of type object.', '类型应为对象。'],
])('describes data that does not fit a schema in both languages: %j', (value, english, chinese) => {
  const issue = schema.safeParse(value).error?.issues[0]
  const values = { where: issue?.path.join('.') ?? '', ...wrongForm(issue) }
  expect(textOfKey('server.wrong-form', values, 'en')).toContain(english)
  expect(textOfKey('server.wrong-form', values, 'zh-CN')).toContain(chinese)
})

it('keeps a schema’s own message unchanged', () => {
  const issue = z
    .string()
    .refine(() => false, 'must be nice')
    .safeParse('x').error?.issues[0]
  expect(textOfKey('server.wrong-form', { where: '', ...wrongForm(issue) }, 'en')).toContain('must be nice.')
})

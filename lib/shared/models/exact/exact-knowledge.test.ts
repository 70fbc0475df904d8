import { expect, it } from 'vitest'
import { createExactKnowledge, type ExactFinding } from './exact-knowledge'
import type { ExactForm } from './exact-forms'

const model = { id: 'own/it', stamp: '' }

function setUp(findings: Partial<Record<ExactForm, ExactFinding | null>>) {
  const time = { now: 0 }
  const asked: string[] = []
  const open = { now: 0, most: 0 }
  const knowledge = createExactKnowledge({ monotonic: () => time.now })
  const find = (forms: readonly ExactForm[] = ['grammar'], one = model) =>
    knowledge.find(one, forms, async (form) => {
      asked.push(`${one.id} ${form}`)
      open.now += 1
      open.most = Math.max(open.most, open.now)
      await Promise.resolve()
      open.now -= 1
      return findings[form] ?? null
    })
  return { time, asked, open, knowledge, find }
}

it('tests one thing at a time, once for all callers, whatever the models', async () => {
  const { asked, open, find } = setUp({ grammar: 'honoured' })
  const other = { id: 'own/other', stamp: '' }
  await Promise.all([find(), find(), find(['grammar'], other), find(), find(['grammar'], other)])
  expect(asked).toEqual(['own/it grammar', 'own/other grammar'])
  expect(open.most).toBe(1)
  expect(await find()).toEqual({ form: 'grammar', finding: 'honoured' })
  expect(asked).toHaveLength(2)
})

it('stops at the first enforced form, and returns the last finding if none is', async () => {
  const forms = ['grammar', 'structured-outputs', 'ebnf'] as const
  const second = setUp({ grammar: 'ignored', 'structured-outputs': 'honoured' })
  expect(await second.find(forms)).toEqual({ form: 'structured-outputs', finding: 'honoured' })
  expect(second.asked).toHaveLength(2)
  const none = setUp({ grammar: 'ignored', 'structured-outputs': 'refused', ebnf: 'ignored' })
  expect(await none.find(forms)).toEqual({ form: 'ebnf', finding: 'ignored' })
})

it('keeps nothing about an unreachable server, and asks it no further then', async () => {
  const { asked, find, knowledge } = setUp({})
  expect(await find(['grammar', 'ebnf'])).toBeNull()
  expect(asked).toEqual(['own/it grammar'])
  expect(knowledge.of('own/it').size).toBe(0)
  await find()
  expect(asked).toHaveLength(2)
})

it('tests again after a time, sooner if it was not enforced, and when the model behind the name changes', async () => {
  const hour = 3_600_000
  const binds = setUp({ grammar: 'honoured' })
  await binds.find()
  binds.time.now = hour
  await binds.find()
  expect(binds.asked).toHaveLength(1)
  binds.time.now = 6 * hour
  await binds.find()
  expect(binds.asked).toHaveLength(2)
  await binds.find(['grammar'], { ...model, stamp: 'sha256:new' })
  expect(binds.asked).toHaveLength(3)
  const deaf = setUp({ grammar: 'ignored' })
  await deaf.find()
  deaf.time.now = hour
  await deaf.find()
  expect(deaf.asked).toHaveLength(2)
})

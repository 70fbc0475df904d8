import { expect, it } from 'vitest'
import { createExactDesk } from '@/lib/models/exact/exact-desk'
import { testTools } from '@/lib/strategies/testing/tools'
import { createExactPort } from './exact.server'

const noModels = createExactDesk({
  offerOf: () => null,
  modelWith: () => {
    throw new Error('no model is asked')
  },
  now: () => 0,
})

it('says a strategy with its tools as GBNF, makes it once, and has nothing for the provider’s own form', () => {
  const { askOf } = createExactPort(noModels)
  const tools = testTools.filter(({ disabled }) => disabled !== true)
  const ask = askOf('JSON_Strict', tools)
  expect(ask?.gbnf).toMatch(/^root ::= /)
  for (const { name } of tools) expect(ask?.gbnf).toContain(name)
  expect(askOf('JSON_Strict', structuredClone(tools))).toBe(ask)
  expect(askOf('JSON_Strict', tools.slice(1))?.gbnf).not.toBe(ask?.gbnf)
  expect(askOf('Native', tools)).toBeNull()
  expect(askOf('JSON_Strict', [])).toBeNull()
})

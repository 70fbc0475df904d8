import { expect, it } from 'vitest'
import { createConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import { testTools } from '@/lib/protocols/testing/tools'
import { createExactPort, prepareExact } from './models.server'

const noModels = createConstrainedDecoding({
  offerOf: () => null,
  modelWith: () => {
    throw new Error('no model is asked')
  },
  monotonic: () => 0,
})

it('provides a strategy with its tools as GBNF, built once, and none for native calls', () => {
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

it('builds grammars ahead only for a model that may accept one', async () => {
  let turns = 0
  const breathe = () => Promise.resolve(void (turns += 1))
  const takesOne = {
    of: (id: string) => (id === 'ollama/a' ? ({ takes: 'grammar', byDefault: false } as const) : null),
  }
  await prepareExact(takesOne, ['demo/demo', 'openai/b'], breathe)
  expect(turns).toBe(0)
  await prepareExact(takesOne, ['demo/demo', 'ollama/a'], breathe)
  expect(turns).toBeGreaterThan(0)
})

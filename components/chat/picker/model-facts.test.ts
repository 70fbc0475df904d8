import { describe, expect, it } from 'vitest'
import { exactModel } from '@/lib/shared/models/testing/exact-model'
import { factsOfModel } from './model-choices'

const plainly = { best: null, isExact: false }

describe('the facts in a model’s row', () => {
  it('say exact only if the server was observed to honour the constraint', () => {
    for (const takes of ['grammar', 'json-schema', 'unknown'] as const) {
      for (const found of [undefined, 'honoured', 'half', 'ignored', 'refused'] as const) {
        const facts = factsOfModel(exactModel({ takes, byDefault: true, ...(found && { found }) }), plainly)
        expect([takes, found, facts.includes('exact')]).toEqual([takes, found, found === 'honoured'])
      }
    }
    expect(factsOfModel(exactModel(), plainly)).toEqual([])
  })

  it('say exact in a chat whose last reply was constrained', () => {
    expect(factsOfModel(exactModel({ takes: 'grammar', byDefault: true }), { ...plainly, isExact: true })).toEqual([
      'exact',
    ])
  })
})

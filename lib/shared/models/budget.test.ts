import { describe, expect, it } from 'vitest'
import { decodeModelConfig } from '@/lib/server/models/config'
import { potName, ruleFits, type BudgetRule } from './budget'

const rule = (over: Partial<BudgetRule>): BudgetRule => ({ models: '*', for: 'each', tokensPerDay: 1, ...over })
const budgetsIn = (budgets: unknown) => decodeModelConfig(JSON.stringify({ budgets }), {})

describe('a budget', () => {
  it.each([
    ['*', 'ollama/qwen3:8b', true],
    ['openai/*', 'openai/gpt-5', true],
    ['openai/*', 'openai-like/gpt-5', false],
    ['openai/gpt-5', 'openai/gpt-5', true],
    ['openai/gpt-5', 'openai/gpt-5-mini', false],
  ])('of %s for %s: %s', (models, model, fits) => {
    expect(ruleFits(rule({ models }), model, 'user')).toBe(fits)
  })

  it('of one kind of users does not apply to the others', () => {
    expect(ruleFits(rule({ for: 'each-anonymous' }), 'a/b', 'anonymous')).toBe(true)
    expect(ruleFits(rule({ for: 'each-anonymous' }), 'a/b', 'admin')).toBe(false)
    expect(ruleFits(rule({ for: 'everybody' }), 'a/b', 'admin')).toBe(true)
  })

  it('keeps its counter when its number is changed, and shares it with no other rule', () => {
    expect(potName(rule({ tokensPerDay: 5 }))).toBe(potName(rule({ tokensPerDay: 9 })))
    expect(new Set([rule({}), rule({ for: 'everybody' }), rule({ models: 'a/*' })].map(potName)).size).toBe(3)
  })

  it('is read from the configuration, without defaults', () => {
    expect(budgetsIn([{ tokensPerDay: 5 }, { models: 'openai/*', for: 'everybody', tokensPerDay: 7 }])).toMatchObject({
      budgets: [
        { models: '*', for: 'each', tokensPerDay: 5 },
        { models: 'openai/*', for: 'everybody', tokensPerDay: 7 },
      ],
      problems: [],
    })
  })

  it.each([{}, { tokensPerDay: 0 }, { tokensPerDay: 5, for: 'nobody' }, { tokensPerDay: 5, models: 'gpt' }, 7])(
    'that is invalid is reported, and has no other effect: %j',
    (wrong) => {
      const found = budgetsIn([wrong, { tokensPerDay: 5 }])
      expect(found.budgets).toHaveLength(1)
      expect(found.problems).toMatchObject([
        { message: expect.stringMatching(/^nod\.config\.json, budget 1 is ignored: /) as string },
      ])
    },
  )
})

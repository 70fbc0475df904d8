import { expect, it } from 'vitest'
import { leastClaim, tokenClaim } from '@/lib/shared/prompt/prompt-budget'
import type { BudgetRule } from '@/lib/shared/models/budget'
import { budgetNotice } from './startup-notices.server'
import { quotasOf } from '../requests/quotas.server'
import { settingsFrom } from '../settings.server'

const rule = (over: Partial<BudgetRule>): BudgetRule => ({ models: '*', for: 'each', tokensPerDay: 100, ...over })
const told = (env: Record<string, string>, budgets: readonly BudgetRule[] = []) =>
  budgetNotice(quotasOf(settingsFrom(env).settings, budgets, false).budgets)

it('warns of every budget that is smaller than the smallest message needs, and of no other', () => {
  expect(told({})).toEqual([])
  for (const name of ['NOD_BUDGET_TOKENS_PER_DAY', 'NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON']) {
    expect(told({ [name]: String(leastClaim()) })).toEqual([])
    expect(told({ [name]: String(leastClaim() - 1) })).toHaveLength(1)
  }
  expect(told({}, [rule({}), rule({ tokensPerDay: 1_000_000 })])).toHaveLength(1)
})

it('counts as small what is less than the shortest message sets aside', () => {
  const shortest = tokenClaim(1, 0)
  expect(shortest.in + shortest.out).toBeGreaterThan(leastClaim())
})

it.each([
  ['everybody', 'all people together'],
  ['each', 'each person is'],
  ['each-anonymous', 'each person without an account'],
  ['each-user', 'each person with an account'],
  ['each-admin', 'each administrator'],
] as const)('says whose budget it is: %s', (whose, words) => {
  const [text = ''] = told({}, [rule({ for: whose, tokensPerDay: 100 })])
  expect(text).toContain(`100 tokens per day for ${words}`)
  expect(text).toContain(leastClaim().toLocaleString('en'))
})

it('says which models it is for', () => {
  expect(told({}, [rule({ models: 'openai/*' })])[0]).toContain('each person and the models openai/* is smaller')
  expect(told({ NOD_BUDGET_TOKENS_PER_DAY: '1' })[0]).toContain('1 token per day')
})

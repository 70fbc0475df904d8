import { expect, it } from 'vitest'
import { readSettings } from './read-settings'
import { limitsOf } from './shown-limits'

const limits = (env: Readonly<Record<string, string>>) =>
  new Map(limitsOf(readSettings(env, () => '').settings).map((limit) => [limit.name, limit]))

it('says each number with the form of the word that goes with it', () => {
  const ones = limits({ NOD_WORKERS: '1', NOD_MAX_RUNS: '1', NOD_RETENTION_DAYS: '1' })
  const amounts = ['NOD_WORKERS', 'NOD_MAX_RUNS', 'NOD_RETENTION_DAYS'].map((name) => ones.get(name)?.amount)
  expect(amounts).toEqual(['1 process', '1 reply', '1 day'])
  expect(ones.get('NOD_MAX_RUNS')?.isSet).toBe(true)
  expect(limits({}).get('NOD_MAX_RUNS')).toMatchObject({ amount: '400 replies', isSet: false })
  expect(limits({}).get('NOD_STALL_MS')?.amount).toBe('3 min 0 s')
})

it('says in a word what holds nobody back, not as a nought', () => {
  const names = ['NOD_BUDGET_TOKENS_PER_DAY', 'NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON', 'NOD_RETENTION_DAYS']
  expect(names.map((name) => limits({}).get(name)?.amount)).toEqual(['any', 'any', 'never'])
  const set = limits({ NOD_BUDGET_TOKENS_PER_DAY: '1000', NOD_RETENTION_DAYS: '30' })
  expect(names.map((name) => set.get(name)?.amount)).toEqual(['1,000 tokens', 'any', '30 days'])
  expect([...limits({})].filter(([, { amount }]) => amount.startsWith('0 '))).toEqual([])
})

it('says a part of one as a percentage', () => {
  const sampled = (value: string) => limits({ OTEL_TRACES_SAMPLER_ARG: value }).get('OTEL_TRACES_SAMPLER_ARG')?.amount
  expect(['1', '0.5', '0.07', '0.001', '0'].map(sampled)).toEqual(
    ['100', '50', '7', '0.1', '0'].map((percent) => `${percent} % of all requests`),
  )
})

it('says nothing of names, addresses and secrets', () => {
  const text = JSON.stringify([...limits({ NOD_ADMINS: 'ada@example.com', NOD_SECRET: 's'.repeat(40) })])
  expect(text).not.toMatch(/ada@|ssss/)
})

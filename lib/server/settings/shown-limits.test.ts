import { expect, it } from 'vitest'
import { readSettings } from './read-settings'
import type { Setting } from './setting'
import { settingsTable } from './settings-table'
import { limitsOf } from './shown-limits'

const limits = (env: Readonly<Record<string, string>>) =>
  new Map(limitsOf(readSettings(env, () => '').settings).map((limit) => [limit.name, limit]))

it('shows each number with its unit in the right plural form', () => {
  const ones = limits({ NOD_WORKERS: '1', NOD_MAX_RUNS: '1', NOD_RETENTION_DAYS: '1' })
  const amounts = ['NOD_WORKERS', 'NOD_MAX_RUNS', 'NOD_RETENTION_DAYS'].map((name) => ones.get(name)?.amount)
  expect(amounts).toEqual(['1 process', '1 reply', '1 day'])
  expect(ones.get('NOD_MAX_RUNS')?.isSet).toBe(true)
  expect(limits({}).get('NOD_MAX_RUNS')).toMatchObject({ amount: '400 replies', isSet: false })
  expect(limits({}).get('NOD_STALL_MS')?.amount).toBe('3 min 0 s')
})

it('shows an unlimited value in words, not as zero', () => {
  const names = ['NOD_BUDGET_TOKENS_PER_DAY', 'NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON', 'NOD_RETENTION_DAYS']
  expect(names.map((name) => limits({}).get(name)?.amount)).toEqual(['any', 'any', 'never'])
  const set = limits({ NOD_BUDGET_TOKENS_PER_DAY: '1000', NOD_RETENTION_DAYS: '30' })
  expect(names.map((name) => set.get(name)?.amount)).toEqual(['1,000 tokens', 'any', '30 days'])
  expect([...limits({})].filter(([, { amount }]) => amount.startsWith('0 '))).toEqual([])
})

it('shows a share as a percentage', () => {
  const sampled = (value: string) => limits({ OTEL_TRACES_SAMPLER_ARG: value }).get('OTEL_TRACES_SAMPLER_ARG')?.amount
  expect(['1', '0.5', '0.07', '0.001', '0'].map(sampled)).toEqual(
    ['100', '50', '7', '0.1', '0'].map((percent) => `${percent} % of all requests`),
  )
})

it('shows every number exactly, and a percentage only for a share', () => {
  expect(limits({}).get('NOD_RATE_PER_SECOND')?.amount).toBe('30 requests per second')
  expect(limits({ NOD_RATE_PER_SECOND: '0.5' }).get('NOD_RATE_PER_SECOND')?.amount).toBe('0.5 requests per second')
  for (const [name, setting] of Object.entries<Setting>(settingsTable)) {
    if (setting.kind !== 'number' || setting.who === 'anyone') continue
    const isPart = setting.least === 0 && setting.most === 1 && setting.decimals === true
    expect([name, setting.percentage === true]).toEqual([name, isPart])
    const value = Math.min(setting.most, Math.max(setting.least, 7))
    const { amount = '' } = limits({ [name]: String(value) }).get(name) ?? {}
    if (isPart) expect(amount).toContain('%')
    else if (value !== setting.default) {
      expect([name, amount]).toEqual([name, expect.stringMatching(/^[\d,.]+ /)])
      expect([name, Number(amount.split(' ')[0]?.replaceAll(',', ''))]).toEqual([name, value])
      expect(amount).not.toContain('%')
    }
  }
})

it('never shows names, addresses and secrets', () => {
  const text = JSON.stringify([...limits({ NOD_ADMINS: 'ada@example.com', NOD_SECRET: 's'.repeat(40) })])
  expect(text).not.toMatch(/ada@|ssss/)
})

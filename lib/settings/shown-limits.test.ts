import { expect, it } from 'vitest'
import { readSettings } from './read-settings'
import { limitsOf } from './shown-limits'

const limits = (env: Readonly<Record<string, string>>) =>
  new Map(limitsOf(readSettings(env, () => '').settings).map((limit) => [limit.name, limit]))

it('says each number with the form of the word that goes with it', () => {
  const ones = [...limits({ NOD_MAX_RUNS: '1', NOD_RETENTION_DAYS: '1' }).values()].filter(({ value }) => value === 1)
  expect(ones.map(({ unit }) => unit)).toEqual(expect.arrayContaining(['process', 'reply', 'day']))
  expect(limits({ NOD_MAX_RUNS: '1' }).get('NOD_MAX_RUNS')).toMatchObject({ value: 1, unit: 'reply', isSet: true })
  expect(limits({}).get('NOD_MAX_RUNS')).toMatchObject({ unit: 'replies', isSet: false })
})

it('says nothing of names, addresses and secrets', () => {
  const text = JSON.stringify([...limits({ NOD_ADMINS: 'ada@example.com', NOD_SECRET: 's'.repeat(40) })])
  expect(text).not.toMatch(/ada@|ssss/)
})

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pyodideVersion } from '@/lib/sandbox/python-assets'
import { makeWheel } from '@/lib/sandbox/testing/make-wheel'
import { packageFolder, writeRecord } from '@/lib/server/python-packages/package-folder'
import { minClaim, tokenClaim } from '@/lib/shared/prompt/prompt-budget'
import type { BudgetRule } from '@/lib/shared/models/budget'
import { budgetNotice, pythonNotice } from './startup-notices.server'
import { quotasOf } from '../requests/quotas.server'
import { settingsFrom } from '../settings.server'

const rule = (over: Partial<BudgetRule>): BudgetRule => ({ models: '*', for: 'each', tokensPerDay: 100, ...over })
const told = (env: Record<string, string>, budgets: readonly BudgetRule[] = []) =>
  budgetNotice(quotasOf(settingsFrom(env).settings, budgets, false).budgets)

it('warns about every budget that is too small for the shortest message, and no other', () => {
  expect(told({})).toEqual([])
  for (const name of ['NOD_BUDGET_TOKENS_PER_DAY', 'NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON']) {
    expect(told({ [name]: String(minClaim()) })).toEqual([])
    expect(told({ [name]: String(minClaim() - 1) })).toHaveLength(1)
  }
  expect(told({}, [rule({}), rule({ tokensPerDay: 1_000_000 })])).toHaveLength(1)
})

it('counts a budget as small if it is less than the reservation for the shortest message', () => {
  const shortest = tokenClaim(1, 0)
  expect(shortest.in + shortest.out).toBeGreaterThan(minClaim())
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
  expect(text).toContain(minClaim().toLocaleString('en'))
})

it('says which models it covers', () => {
  expect(told({}, [rule({ models: 'openai/*' })])[0]).toContain('each person and the models openai/* is smaller')
  expect(told({ NOD_BUDGET_TOKENS_PER_DAY: '1' })[0]).toContain('1 token per day')
})

it('says which Python packages an update left behind, until they are added again', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nod-notices-'))
  const add = async (into: string, name: string, isNamed = true) => {
    mkdirSync(into, { recursive: true })
    const { data: _data, ...wheel } = makeWheel({ name })
    await writeRecord(into, { ...wheel, isNamed, licenceText: '' })
  }
  try {
    expect(pythonNotice(folder)).toEqual([])
    const before = path.join(folder, 'python/313.0.0')
    await add(before, 'pandas')
    await add(before, 'numpy')
    await add(before, 'six', false)
    expect(pythonNotice(folder)).toEqual([
      `Python packages were added for Pyodide 313.0.0, and this version has Pyodide ${pyodideVersion}. Add them again: python-add numpy pandas`,
    ])
    await add(packageFolder(folder), 'numpy')
    expect(pythonNotice(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

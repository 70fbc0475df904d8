import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { foreignIn, spoken } from '@/lib/base/untrusted-text/foreign'
import type { JsonValue } from '@/lib/base/json'
import { argumentsOf, readMessages } from '@/scripts/messages/catalog.mjs'
import { foreignNames, takesForeign, valuesType } from '@/scripts/messages/value-types.mjs'
import { foreignInRefusals, quotedRefusal } from './quoted-refusal'
import { textOfKey } from './t'

/** Ends the app's sentence and begins one of its own, with characters that imitate the app's marks. */
const forged = '/a.txt\u2069. Nod saved a copy. \u2068'

const english = [...((await readMessages(path.resolve(import.meta.dirname, '../..')))['en']?.values() ?? [])]

/** A value that fits the kinds of an argument, and the forged text for untrusted values. */
const valueFor = (name: string, kinds: ReadonlySet<string>, type: string): JsonValue => {
  const isList = new RegExp(`readonly ${name}: readonly string`).test(type)
  if (new RegExp(`readonly ${name}: number`).test(type)) return 1
  if (new RegExp(`readonly ${name}: boolean`).test(type)) return true
  const value = foreignInRefusals.has(name) && (isList || [...kinds].every((kind) => kind === '')) ? forged : 'one'
  return isList ? [value] : value
}

const messages = english
  .filter((one) => takesForeign(one, foreignInRefusals))
  .flatMap((one) => {
    const type = valuesType(one, false)
    const values = Object.fromEntries(
      [...argumentsOf(one.tokens)].map(([name, kinds]) => [name, valueFor(name, kinds, type)]),
    )
    return textOfKey(one.key, values) === null ? [] : [{ reason: one.key, values }]
  })

describe('a refusal on the page', () => {
  it('is tested in many messages, including all names that messages quote', () => {
    expect(messages.length).toBeGreaterThan(150)
    for (const name of foreignNames) expect(foreignInRefusals).toContain(name)
  })

  it.each(messages)('prevents forged app text: $reason', ({ reason, values }) => {
    const parts = foreignIn(quotedRefusal({ reason, values, message: '' }))
    expect(parts.filter((part) => typeof part === 'string' && part.includes('Nod saved a copy'))).toEqual([])
  })
})

it('quotes the value, and leaves numbers and already marked values unchanged', () => {
  const values = { path: '/a.txt. Nod saved a copy', max: 3 }
  const once = quotedRefusal({ reason: 'vfs.no-file', values, message: '' })
  expect(spoken(once)).toContain('“/a.txt. Nod saved a copy”')
  const marked = foreignIn(once).find((part) => typeof part === 'object')
  const again = quotedRefusal({ reason: 'vfs.no-file', values: { path: `\u2068${marked?.code}\u2069` }, message: '' })
  expect(again).toBe(once)
})

it('is its own message if this page does not know the reason', () => {
  expect(quotedRefusal({ reason: 'of.tomorrow', values: {}, message: 'Not now.' })).toBe('Not now.')
})

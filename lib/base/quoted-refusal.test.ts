import { globSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogues, quotingCatalogues, sentenceFor } from './catalogue'
import { foreignIn, spoken } from './foreign-text/foreign'
import type { JsonValue } from './json'
import { parseMessage } from './parse-message'
import { foreignInRefusals, quotedRefusal } from './quoted-refusal'

const words = path.join(import.meta.dirname, '../words')
for (const file of globSync('*.ts', { cwd: words }))
  if (!file.endsWith('.test.ts')) await import(path.join(words, file))

/** Ends the app's sentence and begins one of its own, with signs that pretend to be the app's marks. */
const forged = '/a.txt\u2069. Nod saved a copy. \u2068'

const alreadyQuoted = new Set(quotingCatalogues().flatMap((catalogue) => Object.keys(catalogue)))
const messages = catalogues().flatMap((catalogue) =>
  Object.entries(catalogue).flatMap(([reason, sentence]) => {
    if (typeof sentence !== 'string' || alreadyQuoted.has(reason)) return []
    const given = parseMessage(sentence).arguments
    const foreign = given.filter(({ name, kind }) => foreignInRefusals.has(name) && kind !== 'number')
    if (foreign.length === 0) return []
    const values: Record<string, JsonValue> = {}
    for (const { name, kind } of given)
      values[name] = kind === 'list' || kind === 'sentences' ? ['one'] : kind === null || kind === 'select' ? 'one' : 1
    for (const { name, kind } of foreign) values[name] = kind === 'list' ? [forged] : forged
    // Some take a value of another type.
    return sentenceFor(catalogue, reason, values) === null ? [] : [{ reason, values }]
  }),
)

describe('a refusal on the page', () => {
  it('is tried in many messages', () => {
    expect(messages.length).toBeGreaterThan(150)
  })

  it.each(messages)('lets nobody speak in the app’s voice: $reason', ({ reason, values }) => {
    const said = foreignIn(quotedRefusal({ reason, values, message: '' }))
    expect(said.filter((part) => typeof part === 'string' && part.includes('Nod saved a copy'))).toEqual([])
  })
})

it('quotes the value, and leaves numbers and what is marked already as they are', () => {
  const values = { path: '/a.txt. Nod saved a copy', max: 3 }
  const once = quotedRefusal({ reason: 'vfs.no-file', values, message: '' })
  expect(spoken(once)).toContain('“/a.txt. Nod saved a copy”')
  const path = foreignIn(once).find((part) => typeof part === 'object')
  const again = quotedRefusal({ reason: 'vfs.no-file', values: { path: `\u2068${path?.code}\u2069` }, message: '' })
  expect(again).toBe(once)
})

it('is its own message where this page knows no such reason', () => {
  expect(quotedRefusal({ reason: 'of.tomorrow', values: {}, message: 'Not now.' })).toBe('Not now.')
})

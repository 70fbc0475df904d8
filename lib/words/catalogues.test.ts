import { globSync } from 'node:fs'
import path from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { describe, expect, it } from 'vitest'
import { catalogues } from '@/lib/base/catalogue'
import { sayMessage } from '@/lib/base/message'
import { parseMessage, type Argument } from '@/lib/base/parse-message'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { firstWords } from './zh-cn/first'
import { laterWords } from './zh-cn/later'

/** Read in a terminal or a monitoring, by whoever runs a server: these stay English. */
const inEnglish = /^(?:accounts\.start-|account-command\.|backup\.|serve\.|variable\.|nod_)/

const isCatalogue = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.keys(value).some((key) => /^[\w-]+\./.test(key))

const modules = globSync(['*.ts', '../{base,strategies}/**/*-words.ts', '../settings/shown-limits.ts'], {
  cwd: import.meta.dirname,
}).filter((file) => !file.endsWith('.test.ts'))
const english: Record<string, unknown> = {}
const twice = new Set<string>()
for (const file of modules) {
  const exported = (await import(path.join(import.meta.dirname, file))) as Record<string, unknown>
  for (const catalogue of [...catalogues(), ...Object.values(exported).filter(isCatalogue)]) {
    for (const [reason, sentence] of Object.entries(catalogue)) {
      if (Object.hasOwn(english, reason) && english[reason] !== sentence) twice.add(reason)
      english[reason] = sentence
    }
  }
}
const chinese: Readonly<Record<string, unknown>> = { ...firstWords, ...laterWords }
const spoken = Object.keys(english).filter((reason) => !inEnglish.test(reason))

const sampleOf = ({ kind }: Argument): JsonValue =>
  kind === null || kind === 'select' ? 'sample' : /^(?:list|and|clauses|sentences)$/.test(kind) ? ['one', 'two'] : 2

const samplesOf = (text: string): JsonObject =>
  // What has several kinds is what its number is.
  Object.fromEntries(
    argumentsOf(text)
      .toSorted((one, other) => Number(typeof sampleOf(one) === 'number') - Number(typeof sampleOf(other) === 'number'))
      .map((one) => [one.name, sampleOf(one)]),
  )

const argumentsOf = (text: string): readonly Argument[] => parseMessage(text).arguments
const namesOf = (text: string): readonly string[] => [...new Set(argumentsOf(text).map(({ name }) => name))].toSorted()

describe('every sentence', () => {
  it('has a reason of its own', () => {
    expect(Object.keys(english).length).toBeGreaterThan(400)
    expect([...twice]).toEqual([])
    const firstAndLater = Object.keys(firstWords).filter((reason) => Object.hasOwn(laterWords, reason))
    expect(firstAndLater).toEqual([])
  })

  it('stands in Chinese too, and nothing else does', () => {
    expect(spoken.filter((reason) => !Object.hasOwn(chinese, reason))).toEqual([])
    expect(Object.keys(chinese).filter((reason) => !spoken.includes(reason))).toEqual([])
  })

  it.each(spoken)('says in both languages what it is given: %s', (reason) => {
    const [en, zh] = [english[reason], chinese[reason]]
    expect(typeof zh).toBe(typeof en)
    if (typeof en !== 'string' || typeof zh !== 'string') return
    // Chinese may leave out a number that English needs for its forms alone, but asks for nothing that is not there.
    expect(namesOf(en)).toEqual(namesOf(zh))
    for (const [text, language] of [
      [en, 'en'],
      [zh, 'zh-CN'],
    ] as const) {
      expect(compileMessageOrThrow(text)).toBeDefined()
      const said = sayMessage(text, samplesOf(text), language)
      expect(said).toMatch(/\S/)
      // A word of its own may be one of these.
      const odd = /undefined|null|\[object/
      expect(odd.test(said ?? '')).toBe(odd.test(text.replace(/\{.*\}/s, '')))
    }
  })

  it('in Chinese uses the signs of Chinese', () => {
    const odd = Object.entries(chinese).filter(
      ([, words]) =>
        typeof words === 'string' && /\p{sc=Han}[,;:?!]|[,;?!]\s?\p{sc=Han}|\p{sc=Han}\.(?:\s|$)/u.test(words),
    )
    expect(odd).toEqual([])
  })
})

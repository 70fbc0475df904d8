import { describe, expect, it } from 'vitest'
import { corpusFiles, readCorpus, readDamage, readReplies } from './testing/corpus'
import { strategies } from './registry'

/** Catalogue entries that a single reply can't show, and where they are tested instead. */
const NOT_A_REPLY: Readonly<Record<string, string>> = {
  F56: 'the words of the error: teaching-error.test.ts',
  F76: 'ids that repeat across turns: calls are stored by message and id, lib/server/store and lib/client/calls',
  F154: 'the same call again and again over several turns: lib/client/calls',
}

const PROVENANCE =
  /^(?:F\d{1,3}|§[0-6]|R\d{1,2}|fuzz)(?:, (?:F\d{1,3}|§[0-6]|R\d{1,2}|seed \d+))*(?:; [^;]+, https:\/\/\S+)?$/

const replies = readReplies()
const damage = readDamage()

describe('the corpus', () => {
  it('has at least 400 distinct replies', () => {
    const texts = new Set([...replies.map((row) => row.text), ...damage.map((row) => row.call)])
    expect(texts.size).toBeGreaterThanOrEqual(400)
    expect(new Set(replies.map((row) => JSON.stringify([row.strategy, row.text, row.tools]))).size).toBe(replies.length)
  })

  it('gives every row a unique id and a provenance', () => {
    const rows = [...replies, ...damage]
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
    expect(rows.filter((row) => !PROVENANCE.test(row.provenance)).map((row) => row.id)).toEqual([])
  })

  it('has one file per strategy', () => {
    const names = new Set(strategies.map((def) => `${def.id}.jsonl`))
    expect(corpusFiles().filter((file) => !names.has(file))).toEqual([])
    for (const row of replies) expect(strategies.map((def) => def.id)).toContain(row.strategy)
    for (const file of corpusFiles()) expect(replies.some((row) => `${row.strategy}.jsonl` === file)).toBe(true)
  })

  it('expects segments that tile their reply', () => {
    for (const row of readCorpus()) expect(row.expected.segments.map((segment) => segment.text).join('')).toBe(row.text)
  })

  const codes = new Set([...replies, ...damage].flatMap((row) => row.provenance.split('; ')[0]?.split(', ') ?? []))

  it.each(Array.from({ length: 154 }, (_, i) => `F${i + 1}`))(
    'has a reply for %s of the catalogue, or a reason',
    (code) => {
      expect(codes.has(code)).toBe(!Object.hasOwn(NOT_A_REPLY, code))
    },
  )
})

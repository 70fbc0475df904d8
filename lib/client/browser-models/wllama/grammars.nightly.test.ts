import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toGbnf } from '@/lib/protocols/grammar/grammar'
import { grammarOf } from '@/lib/protocols/grammar-of'
import { strategies } from '@/lib/protocols/registry'
import { testTools } from '@/lib/protocols/testing/tools'
import { openModelSuite, type ModelSuite } from './testing/browser-suite/open-suite'
import type { SuiteWritten } from './testing/browser-suite/page'
import { ggufBytes, tinyShape } from './testing/write-gguf'

// Runs llama.cpp in a real Chromium with the grammar of each strategy; the output of a random model is then parsed.

let suite: ModelSuite
let page: Page

beforeAll(async () => {
  suite = await openModelSuite()
  // It writes ASCII only: another test covers invalid text.
  const file = path.join(suite.folder, 'tiny.gguf')
  await writeFile(file, ggufBytes({ ...tinyShape, trainedTokens: 8192, bias: { bytes: -30, end: -4, words: 0 } }))
  page = await suite.newPage()
  await page.setInputFiles('#one', file)
})
afterAll(() => suite?.close())

const write = (grammar: string, seed: number, maxTokens: number): Promise<SuiteWritten> =>
  page.evaluate((given) => globalThis.modelSuite.write({ weights: { field: 'one' }, prompt: 'x', ...given }), {
    grammar,
    seed,
    maxTokens,
  })

const bound = strategies.flatMap((def) => {
  const grammar = grammarOf(def.id, testTools)
  return grammar === null ? [] : [{ id: def.id, def, grammar }]
})

describe.each(bound)('under the grammar of $id', ({ def, grammar }) => {
  const read = (text: string) => {
    const scanner = def.createScanner(testTools)
    scanner.push(text)
    return scanner.end().segments
  }

  it('produces calls that can run, and need no repair but the fence that the format itself leaves out', async () => {
    const gbnf = toGbnf(grammar.call)
    let whole = 0
    for (let seed = 1; seed <= 6; seed++) {
      const { text, failed, finish } = await write(gbnf, seed, 1200)
      expect([failed, text]).toEqual([null, text])
      // A call cut by its length is no call: the parser's rule, covered by another test.
      if (finish !== 'stop') continue
      whole++
      const calls = read(text).filter(({ kind }) => kind !== 'text')
      expect([text, calls.length > 0]).toEqual([text, true])
      for (const call of calls) {
        expect([text, call]).toEqual([text, expect.objectContaining({ kind: 'call', standing: 'live', problem: null })])
        if (call.kind === 'call')
          expect([text, call.repairs.filter((code) => code !== 'missing-fence')]).toEqual([text, []])
      }
    }
    expect(whole).toBeGreaterThan(0)
  })

  it('allows prose, and whatever begins as a call in it is one', async () => {
    const gbnf = toGbnf(grammar.reply)
    for (let seed = 1; seed <= 3; seed++) {
      const { text, failed, finish } = await write(gbnf, seed, 300)
      expect([failed, text]).toEqual([null, text])
      if (finish === 'stop') expect([text, read(text).some(({ kind }) => kind === 'broken')]).toEqual([text, false])
    }
  })
})

it('every strategy that has a grammar was tested', () => {
  expect(bound.map(({ id }) => id)).toEqual(expect.arrayContaining(['JSON_Strict', 'JSON_Action']))
})

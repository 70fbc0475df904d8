import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isNightly } from '@/scripts/test/nightly'
import { openModelSuite, type ModelSuite } from './testing/browser-suite/open-suite'
import { rendererBytes } from './testing/browser-suite/renderer-memory'
import type { SuiteWrite, SuiteWritten } from './testing/browser-suite/page'
import { lostPositions } from '@/lib/base/text/characters'
import { ggufBytes, tinyShape } from './testing/write-gguf'

// Runs in a real Chromium, under the policies that the product serves.

const model = ggufBytes({ ...tinyShape, words: ['<tool_code>', '</tool_code>', '{"name":'] })

let suite: ModelSuite
let page: Page
const file = (name: string) => path.join(suite.folder, name)
const address = (name: string) => `${suite.weights.url}/${name}`
const write = (asked: Omit<SuiteWrite, 'weights'> & Partial<Pick<SuiteWrite, 'weights'>>): Promise<SuiteWritten> =>
  page.evaluate((given) => globalThis.modelSuite.write(given), { weights: { field: 'one' }, ...asked })
const pick = (name: string, field = 'one') => page.setInputFiles(`#${field}`, file(name))

beforeAll(async () => {
  suite = await openModelSuite()
  await Promise.all([
    writeFile(file('tiny.gguf'), model),
    writeFile(file('short.gguf'), model.slice(0, -1000)),
    writeFile(file('head.gguf'), model.slice(0, 3000)),
    writeFile(file('noise.gguf'), new Uint8Array(9000).fill(65)),
    writeFile(file('page.gguf'), '<!doctype html><title>Not found</title>'),
    // The file is as complete as its header says, but llama.cpp can't use it.
    writeFile(file('strange.gguf'), strange()),
    writeFile(file('bytes.gguf'), ggufBytes({ ...tinyShape, bias: { bytes: 3, end: -9, words: 0 } })),
  ])
  page = await suite.newPage()
})
afterAll(() => suite?.close())

/** A tensor's name that no llama model has. */
function strange(): Uint8Array {
  const text = Buffer.from(model)
  const at = text.indexOf('blk.0.attn_q.weight')
  text.write('blk.0.attn_x.weight', at)
  return text
}

describe('a picked file', () => {
  it('is loaded in slices and writes, with its progress before the first token', async () => {
    await pick('tiny.gguf')
    const { text, progress, finish, failed, usage } = await write({ prompt: 'hello there', maxTokens: 40 })
    expect([failed, finish]).toEqual([null, 'length'])
    expect(text.length).toBeGreaterThan(20)
    const loading = progress.flatMap((step) => ('loading' in step ? [step.loading] : []))
    expect(loading.at(-1)).toEqual({ done: model.length, total: model.length })
    const prefill = progress.flatMap((step) => ('prefill' in step ? [step.prefill] : []))
    expect(prefill.at(-1)?.read).toBe(prefill.at(-1)?.total)
    expect(usage).toMatchObject({ outputTokens: { total: 40 } })
  })

  it('is not loaded again for the next reply, and reads the common beginning once', async () => {
    const system = 'You are asked about many things. '.repeat(10)
    await write({ system, prompt: 'one', maxTokens: 4 })
    const { progress, usage } = await write({ system, prompt: 'two', maxTokens: 4 })
    expect(progress.filter((step) => 'loading' in step)).toEqual([])
    const { inputTokens } = usage as { inputTokens: { total: number; noCache: number; cacheRead: number } }
    expect(inputTokens.cacheRead).toBeGreaterThan(200)
    expect(inputTokens.noCache).toBeLessThan(100)
  })

  it('writes under a grammar from its first letter to its last', async () => {
    const { text, failed, finish } = await write({
      prompt: 'x',
      maxTokens: 200,
      grammar: 'root ::= "[" [a-c]{5,9} "]"',
    })
    expect([failed, finish]).toEqual([null, 'stop'])
    expect(text).toMatch(/^\[[a-c]{5,9}\]$/)
  })

  it('reports an invalid grammar, and continues with the next reply', async () => {
    expect(await write({ prompt: 'x', grammar: 'root ::= (' })).toMatchObject({
      failed: 'wllama.grammar',
      finish: 'error',
    })
    expect((await write({ prompt: 'x', maxTokens: 5 })).finish).toBe('length')
  })

  it('says that a chat is too long for it', async () => {
    const long = 'word '.repeat(2000)
    expect(await write({ prompt: long })).toMatchObject({ failed: 'wllama.too-long' })
  })

  it('stops at once while writing and reading, keeps its text, and the next reply works', async () => {
    const writing = await write({ prompt: 'hi', maxTokens: 3000, stopAt: 'text' })
    expect([writing.isStopped, writing.text.length > 0]).toEqual([true, true])
    const long = 'read all of this first '.repeat(100)
    const reading = await write({ prompt: long, maxTokens: 3000, stopAt: 'prefill' })
    expect([reading.isStopped, reading.text]).toEqual([true, ''])
    const { prefill } = reading.progress.at(-1) as { prefill: { read: number; total: number } }
    expect(prefill.read).toBeLessThan(prefill.total)
    expect((await write({ prompt: 'x', maxTokens: 5 })).finish).toBe('length')
  })

  it.runIf(isNightly)('keeps the threads it was loaded with, in a page that is not isolated', async () => {
    for (const threads of [1, 2]) {
      const asked = { weights: { field: 'one' }, prompt: '', threads }
      expect(await page.evaluate((given) => globalThis.modelSuite.threads(given), asked)).toEqual({
        model: threads,
        isPageIsolated: false,
      })
      expect((await write({ prompt: 'x', maxTokens: 5, threads })).finish).toBe('length')
    }
  })

  it('is loaded again after its worker was ended', async () => {
    await page.evaluate(() => globalThis.modelSuite.endWorker())
    const { progress, finish } = await write({ prompt: 'x', maxTokens: 5 })
    expect(progress.some((step) => 'loading' in step)).toBe(true)
    expect(finish).toBe('length')
  })

  it.runIf(isNightly)('keeps the text of a reply that is invalid UTF-8, and continues with the next', async () => {
    await pick('bytes.gguf', 'two')
    // Most invalid UTF-8 comes as replacement characters; a reply that ends within a character breaks llama.cpp's own
    // JSON.
    let broken = await write({ weights: { field: 'two' }, prompt: 'x', maxTokens: 500 })
    for (let again = 0; again < 30 && broken.failed === null; again++) {
      expect(lostPositions(broken.text)).toBeGreaterThan(0)
      broken = await write({ weights: { field: 'two' }, prompt: 'x', maxTokens: 500 })
    }
    expect(broken).toMatchObject({ failed: 'wllama.no-text', finish: 'error' })
    expect(broken.text.length).toBeGreaterThan(0)
    const next = await write({ weights: { field: 'two' }, prompt: 'x', maxTokens: 5, grammar: 'root ::= [a-z]+' })
    expect([next.failed, next.text]).toEqual([null, expect.stringMatching(/^[a-z]+$/)])
  })

  it('is refused with the reason if it is no model, or is cut off', async () => {
    const reasons: Record<string, string> = {
      'noise.gguf': 'wllama.not-gguf',
      'page.gguf': 'wllama.not-gguf',
      'head.gguf': 'wllama.truncated-early',
      'short.gguf': 'wllama.truncated',
      'strange.gguf': 'wllama.not-loaded',
    }
    for (const [name, reason] of Object.entries(reasons)) {
      await pick(name, 'two')
      const { failed, message } = await write({ weights: { field: 'two' }, prompt: 'x' })
      expect([name, failed]).toEqual([name, reason])
      expect(message).toContain(name)
    }
  })
})

// Only Linux reports the memory of each process. The test loads large models repeatedly: nightly.
describe.runIf(process.platform === 'linux' && isNightly)('the memory of a model', () => {
  const large = ggufBytes({ ...tinyShape, width: 256, vocabulary: 24_000 })
  /** Renderers allocate and free some megabytes by themselves. */
  const some = large.length / 2

  it(
    'is freed when it is released, stopped or not, and when another takes its place, however often',
    { timeout: 180_000 },
    async () => {
      await writeFile(file('large.gguf'), large)
      const own = await suite.newPage()
      await own.setInputFiles('#one', file('large.gguf'))
      const reply = (asked: Partial<SuiteWrite>): Promise<SuiteWritten> =>
        own.evaluate((given) => globalThis.modelSuite.write(given), {
          weights: { field: 'one' },
          prompt: 'x',
          maxTokens: 4,
          ...asked,
        })
      const endWorker = async () => {
        await own.evaluate(() => globalThis.modelSuite.endWorker())
        await expect.poll(() => [own.frames().length, own.workers().length]).toEqual([1, 0])
      }
      let first: { readonly held: number; readonly left: number } | null = null
      for (let round = 0; round < 3; round++) {
        if (round % 2 === 0) expect((await reply({})).finish).toBe('length')
        else expect((await reply({ maxTokens: 3000, stopAt: 'text' })).isStopped).toBe(true)
        const held = await rendererBytes()
        await endWorker()
        // The system reclaims it a moment later; after each load as much as after the first.
        const most: number = first === null ? held - large.length : first.left + some
        await expect.poll(rendererBytes, { timeout: 20_000 }).toBeLessThan(most)
        first ??= { held, left: await rendererBytes() }
      }

      // The same weights, loaded for another window: the earlier ones are freed.
      const once = first?.held ?? 0
      for (let round = 0; round < 2; round++) {
        expect((await reply({ windowTokens: 512 + 256 * round })).finish).toBe('length')
        await expect.poll(rendererBytes, { timeout: 20_000 }).toBeLessThan(once + some)
      }
      await own.close()
    },
  )
})

describe('weights of a host that the server allows', () => {
  it('are checked, downloaded, resumed after a break, stored, used and removed', async () => {
    const cut = address('cut/tiny.gguf')
    expect(await page.evaluate((given) => globalThis.modelSuite.look(given), cut)).toMatchObject({
      name: 'tiny.gguf',
      bytes: model.length,
      keptBytes: 0,
    })
    await expect(page.evaluate((given) => globalThis.modelSuite.fetch(given), cut)).rejects.toThrow('wllama.cut-off')
    const [part] = await page.evaluate(() => globalThis.modelSuite.list())
    expect(part).toMatchObject({ isWhole: false, bytes: model.length })
    suite.weights.asked.length = 0
    const { kept, steps } = await page.evaluate((given) => globalThis.modelSuite.fetch(given), cut)
    expect(kept).toMatchObject({ name: 'tiny.gguf', isWhole: true, keptBytes: model.length })
    expect(steps).toBeGreaterThan(0)
    expect(suite.weights.asked.at(-1)).toBe(`GET /cut/tiny.gguf bytes=${part?.keptBytes}-`)

    await page.reload()
    await page.waitForFunction(() => 'modelSuite' in globalThis)
    suite.weights.asked.length = 0
    expect(await write({ weights: { kept: 'tiny.gguf' }, prompt: 'x', maxTokens: 5 })).toMatchObject({
      finish: 'length',
    })
    expect(suite.weights.asked).toEqual([])

    await page.evaluate((given) => globalThis.modelSuite.remove(given), kept)
    expect(await page.evaluate(() => globalThis.modelSuite.list())).toEqual([])
    await page.evaluate(() => globalThis.modelSuite.endWorker())
    expect(await write({ weights: { kept: 'tiny.gguf' }, prompt: 'x' })).toMatchObject({ failed: 'wllama.gone' })
  })

  it('are refused if they are no model, and nothing of them is kept', async () => {
    for (const [name, reason] of [
      ['short.gguf', 'wllama.truncated'],
      ['page.gguf', 'wllama.not-gguf'],
      ['missing.gguf', 'wllama.refused'],
    ] as const) {
      await expect(page.evaluate((given) => globalThis.modelSuite.fetch(given), address(name))).rejects.toThrow(reason)
    }
    expect(await page.evaluate(() => globalThis.modelSuite.list())).toEqual([])
  })

  it('report missing space, and nothing of them is kept', async () => {
    const devtools = await page.context().newCDPSession(page)
    const { origin } = new URL(page.url())
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 200_000 })
    await expect(page.evaluate((given) => globalThis.modelSuite.fetch(given), address('tiny.gguf'))).rejects.toThrow(
      'wllama.no-room',
    )
    expect(await page.evaluate(() => globalThis.modelSuite.list())).toEqual([])
    await pick('tiny.gguf')
    await expect(page.evaluate(() => globalThis.modelSuite.keep('one'))).rejects.toThrow('wllama.no-room')
    expect(await page.evaluate(() => globalThis.modelSuite.list())).toEqual([])
    await devtools.send('Storage.overrideQuotaForOrigin', { origin })
    await devtools.detach()
  })

  it('come from no other host: the worker’s own policy blocks it, and the error says so', async () => {
    const elsewhere = 'https://example.com/tiny.gguf'
    await expect(page.evaluate((given) => globalThis.modelSuite.fetch(given), elsewhere)).rejects.toThrow(
      /wllama\.host-not-allowed: .*allows model downloads only from http:\/\/127\.0\.0\.1:\d+, not from example\.com/,
    )
    // The page itself can reach neither.
    const reached = await page.evaluate((given) => fetch(given).then(String, String), address('tiny.gguf'))
    expect(reached).toContain('TypeError')
  })
})

describe('a copy of a picked file', () => {
  it('still exists after a reload', async () => {
    await pick('tiny.gguf')
    const kept = await page.evaluate(() => globalThis.modelSuite.keep('one'))
    await page.reload()
    await page.waitForFunction(() => 'modelSuite' in globalThis)
    expect(await write({ weights: { kept: 'tiny.gguf' }, prompt: 'x', maxTokens: 5 })).toMatchObject({
      finish: 'length',
    })
    await page.evaluate((given) => globalThis.modelSuite.remove(given), kept)
  })
})

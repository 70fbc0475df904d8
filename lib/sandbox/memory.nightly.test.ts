import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSuite, type BrowserSuite } from './testing/browser-suite/run'

/*
 * Code that uses up all memory, twenty times in a real browser. It ends the process of its frame; the surrounding page
 * survives. Uses the DevTools protocol directly, because Playwright mistakes the crash of a frame for one of the page.
 */

const tries = 20
const bombs = {
  numbers: 'const a = []; for (;;) a.push(new Array(1e6).fill(1.5))',
  objects: 'const a = []; for (;;) a.push(Array.from({ length: 1e6 }, () => [1.5, 2.5]))',
  buffers:
    'const a = []; for (let i = 0; i < 60; i++) a.push(new Uint8Array(64e6).fill(1)); for (;;) a.push(new Array(1e6).fill(1.5))',
}

describe('code that uses up all memory', () => {
  let suite: BrowserSuite
  beforeAll(async () => {
    suite = await openSuite()
  }, 120_000)
  afterAll(async () => {
    await suite.close()
  })

  test.each(Object.entries(bombs))(
    'ends alone, time after time: %s',
    async (_, code) => {
      const page = await suite.newPage()
      const session = await page.context().newCDPSession(page)
      const ask = async (expression: string) =>
        (await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result
          .value as unknown
      await ask(`globalThis.started = performance.timeOrigin`)
      const run = (source: string, timeoutMs: number) =>
        ask(
          `suite.run({ code: ${JSON.stringify(source)}, timeoutMs: ${timeoutMs} }).then(({ outcome }) => outcome.refusal?.reason ?? outcome.kind)`,
        )
      const ends: unknown[] = []
      for (let count = 0; count < tries; count++) {
        ends.push(await run(code, 30_000))
        expect(await run('return 7', 10_000)).toBe('returned')
      }
      const known = new Set(['run.out-of-memory', 'run.gone', 'timed-out', 'threw'])
      expect(ends.filter((end) => !known.has(String(end)))).toEqual([])
      expect(await ask('started === performance.timeOrigin && document.title')).toBe('suite')
      await page.close().catch(() => {})
    },
    1_800_000,
  )
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSuite, type BrowserSuite } from '../testing/browser-suite/run'
import { line, makePdf } from './testing/make-pdf'
import { hostileDocuments } from './testing/hostile-documents'

// The hostile documents in the sandboxed frame of a real browser: each ends, and the page goes on.

let suite: BrowserSuite
let page: Awaited<ReturnType<BrowserSuite['newPage']>>

beforeAll(async () => {
  suite = await openSuite()
  page = await suite.newPage()
}, 120_000)
afterAll(async () => {
  await suite.close()
})

const read = (format: (typeof hostileDocuments)[number]['format'], data: Uint8Array) =>
  page.evaluate(([kind, base64]) => globalThis.suite.readDocument(kind, base64), [
    format,
    Buffer.from(data).toString('base64'),
  ] as const)

test.each(hostileDocuments)(
  'ends $format: $name',
  async ({ format, make, ends }) => {
    const done = await read(format, make())
    expect(done.intact).toBe(true)
    if ('error' in ends) expect(done.error).toMatch(ends.error)
    else if ('text' in ends) expect(done.texts?.join('\n')).toBe(ends.text)
    else expect(done.texts?.join('\n') ?? done.error).toContain(ends.holds)
    const next = await read('pdf', makePdf({ pages: [{ content: line(50, 700, 'The next document.') }] }))
    expect(next).toMatchObject({ texts: ['The next document.'], intact: true })
  },
  90_000,
)

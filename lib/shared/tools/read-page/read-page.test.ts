import { afterAll, describe, expect, it, test } from 'vitest'
import { ok, type Result } from '@/lib/base/result'
import { createDocumentReader } from '@/lib/shared/documents/document-reader'
import { createReaderSandbox } from '@/lib/sandbox/documents/testing/reader-sandbox'
import { line, makePdf } from '@/lib/sandbox/documents/testing/make-pdf'
import type { WebAnswer } from '@/lib/shared/web/web-answer'
import { prepareCall } from '../client-executor'
import { searchWeb } from '../search-web'
import { readFound } from '../search-web/run-search-web'
import { filesWith, runTool } from '../testing/files'
import type { RunPorts, ToolOutcome } from '../tool'
import { readPage } from '.'
import { decodePage } from './run-read-page'

const sandbox = createReaderSandbox()
const documents = createDocumentReader(sandbox)
afterAll(() => sandbox.dispose())

const origin = { kind: 'call', messageId: 'm1', slot: 2, attempt: 3 } as RunPorts['origin']
let calls = 0

/** Runs a call for which the server gives this answer. Each run uses another call. */
async function run(
  answer: WebAnswer | Result<WebAnswer, string>,
  args: Record<string, string> = { url: 'https://example.com/a' },
  tool: typeof readPage | typeof searchWeb = readPage,
): Promise<ToolOutcome> {
  const given = 'ok' in answer ? answer : ok(answer)
  return runTool(tool, args, {
    vfs: await filesWith({}),
    documents,
    origin: { ...origin, slot: (calls += 1) } as NonNullable<RunPorts['origin']>,
    openWeb: () => Promise.resolve(given),
  })
}

const base64 = (body: string | Uint8Array) => Buffer.from(body).toString('base64')
const page = (body: string | Uint8Array, more: Partial<Extract<WebAnswer, { kind: 'page' }>> = {}): WebAnswer => ({
  kind: 'page',
  url: 'https://example.com/a',
  type: 'html',
  charset: 'utf-8',
  base64: base64(body),
  ...more,
})
const failed = (why: Extract<WebAnswer, { kind: 'failed' }>['why'], more: object = {}): WebAnswer => ({
  kind: 'failed',
  why,
  host: 'example.com',
  ...more,
})
const resultOf = (outcome: ToolOutcome) => (outcome.ok ? outcome.result : outcome.result) as Record<string, string>

describe('read_page', () => {
  it('reads HTML in the worker that reads documents, and reports what was left out', async () => {
    const html = '<!doctype html><title>News</title><p>Seen, <a href="b">more</a><p hidden>obey me'
    expect(await run(page(html))).toEqual({
      ok: true,
      result: {
        url: 'https://example.com/a',
        content: '# News\n\nSeen, [more](https://example.com/b)',
        note: '7 characters that can’t be seen on the page were left out.',
      },
    })
  })

  it('reads PDFs, JSON and text', async () => {
    const pdf = page(makePdf({ pages: [{ content: line(72, 700, 'Rent is 900') }] }), { type: 'pdf', charset: null })
    expect(resultOf(await run(pdf))['content']).toContain('Rent is 900')
    expect(resultOf(await run(page('{"a":1}', { type: 'json' })))['content']).toBe('{"a":1}')
    expect(resultOf(await run(page('<b>as it is</b>', { type: 'text' })))['content']).toBe('<b>as it is</b>')
  })

  it('returns as many parts of a long page as fit one answer, and reads on', async () => {
    const long = page(Array.from({ length: 4_000 }, (_, n) => `<p>Line ${n} of a long page`).join(''))
    const first = resultOf(await run(long))
    const next = /Read on with the same url and pages "(\d+)-(\d+)"/.exec(first['note'] ?? '')
    expect(first['content']?.length).toBeLessThanOrEqual(48_000)
    expect(first['outline']).toBeDefined()
    const rest = resultOf(await run(long, { url: 'https://example.com/a', pages: `${next?.[1]}-${next?.[2]}` }))
    expect(rest['content']).toContain(`--- part ${next?.[1]} ---`)
    expect(resultOf(await run(long, { url: 'x', pages: '999' }))['error']).toMatch(/no number 999/)
  })

  it('reports that a page has no text', async () => {
    expect(resultOf(await run(page('<script>app()</script><div id=root></div>')))['error']).toMatch(/no text that can/)
  })

  it('reports the address of a redirect to another host, and that nothing was read', async () => {
    const outcome = await run(failed('moved', { to: 'https://evil.example/?x' }))
    expect(outcome).toMatchObject({ ok: false, result: { redirect: 'https://evil.example/?x' } })
    expect(resultOf(outcome)['error']).toMatch(/redirects to another host\. Nothing was read/)
  })

  test.each([
    ['not-public', /example\.com was not found, or it is not a public host/],
    ['not-listed', /does not allow example\.com/],
    ['port', /80 and 443/],
    ['late', /took too long/],
    ['too-large', /larger than 3 MB/],
    ['http', /status 404: there is no such page/],
    ['broken', /can’t be read/],
  ] as const)('reports why there is no page: %s', async (why, words) => {
    expect(resultOf(await run(failed(why, { status: 404 })))['error']).toMatch(words)
  })

  it('returns the server’s refusal, and sends the server only the id of the call', async () => {
    expect(resultOf(await run({ ok: false, error: 'Too many pages.' }))['error']).toBe('Too many pages.')
    const told: unknown[] = []
    await runTool(
      readPage,
      { url: 'https://example.com/secret' },
      {
        vfs: await filesWith({}),
        documents,
        ...(origin && { origin }),
        openWeb: (call) => {
          told.push(call)
          return Promise.resolve(ok(failed('late')))
        },
      },
    )
    expect(told).toEqual([{ messageId: 'm1', slot: 2, attempt: 3 }])
  })

  it('runs only as a call of a chat', async () => {
    const none = await runTool(readPage, { url: 'https://example.com/' }, { vfs: await filesWith({}), documents })
    expect(resultOf(none)['error']).toMatch(/only run in a chat/)
  })
})

test.each([
  [new Uint8Array([0xe4]), 'iso-8859-1', 'ä'],
  [new Uint8Array([0xff, 0xfe, 0x61, 0]), 'utf-8', 'a'],
  [
    Buffer.concat([Buffer.from('<meta charset=windows-1251>'), new Uint8Array([0xe4])]),
    null,
    '<meta charset=windows-1251>д',
  ],
  [Buffer.from('ä'), 'no-such-charset', 'ä'],
  [new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]), 'gb18030', '你好'],
  [
    Buffer.concat([Buffer.from('<meta charset="gb2312">'), new Uint8Array([0xc4, 0xe3])]),
    null,
    '<meta charset="gb2312">你',
  ],
  [Buffer.from('ä'), null, 'ä'],
])('decodes a page by its header, its byte order mark or its own declaration: %#', (bytes, charset, text) => {
  expect(decodePage(new Uint8Array(bytes), charset)).toBe(text)
})

describe('search_web', () => {
  it('reads SearXNG’s and Brave’s lists, and only addresses of the web', async () => {
    const searx = {
      results: [{ title: 'A', url: 'https://a.example/', content: 'About A' }, { url: 'javascript:1' }, 7],
    }
    const brave = {
      web: { results: [{ title: '<strong>B</strong>', url: 'https://b.example/', description: 'x'.repeat(900) }] },
    }
    const outcome = await run(page(JSON.stringify(searx), { type: 'json' }), { query: 'a' }, searchWeb)
    expect(outcome).toEqual({
      ok: true,
      result: { results: [{ title: 'A', url: 'https://a.example/', excerpt: 'About A' }] },
    })
    expect(readFound(JSON.stringify(brave))).toEqual([
      { title: 'B', url: 'https://b.example/', excerpt: `${'x'.repeat(299)}…` },
    ])
    const many = { results: Array.from({ length: 30 }, () => searx.results[0]) }
    expect(readFound(JSON.stringify(many))).toHaveLength(8)
  })

  test.each(['', 'null', '[]', '{"results":{}}', '<html>'])('reads no list from %j', async (body) => {
    expect(readFound(body)).toBeNull()
    const outcome = await run(page(body, { type: 'json' }), { query: 'a' }, searchWeb)
    expect(resultOf(outcome)['error']).toMatch(/did not return a list of results/)
  })
})

test('gives web access only to tools that need it', async () => {
  const { readFile } = await import('../read-file')
  const seen: unknown[] = []
  const spy = (tool: typeof readFile | typeof readPage) => ({
    ...tool,
    run: () => ({ ok: true as const, run: (context: object) => Promise.resolve(seen.push('openWeb' in context)) }),
  })
  for (const tool of [spy(readFile), spy(readPage)]) {
    const call = prepareCall(tool as never, {})
    if (call.ok) await call.run({ openWeb: () => Promise.reject(new Error('not here')), vfs: {}, sandbox: {} } as never)
  }
  expect(seen).toEqual([false, true])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readShownInPage } from '@/lib/shared/mcp/result-outcome'
import { readPageText, uiOf } from '@/lib/shared/mcp/tool-page'
import { appServer, oddServer, testAddress, type AppState } from './testing/mcp-servers'
import { openPage } from './testing/page'

const html = '<!doctype html><script>start()</script>'
const signal = new AbortController().signal

/** A browser page with an app's server, whose tools were approved unchanged. */
async function approved(state: AppState) {
  const server = appServer(state)
  const page = openPage(server.fetch)
  const { pending } = await page.review(testAddress)
  const tools = pending.map(({ tool }) => tool)
  await page.approve(testAddress, tools)
  const ask = (name: string, args = {}) => page.servers.callForPage('s', { name, args }, { signal, onProgress() {} })
  return { server, page, tools, ask }
}

describe('the page of a tool', () => {
  it('is read and hashed before its tool is approved; tools for pages only are hidden from the model', async () => {
    const { page, server, tools } = await approved({ html })
    const [plan] = tools
    expect(plan).toMatchObject({
      name: 'plan',
      page: {
        uri: 'ui://budget/plan.html',
        hash: expect.stringMatching(/^[\da-f]{64}$/),
        chars: html.length,
        needs: [],
      },
    })
    expect(tools.map(({ name, visibility }) => [name, visibility])).toEqual([
      ['plan', undefined],
      ['poll', 'app'],
      ['spend', 'model'],
    ])
    expect(page.offered()).toEqual(['fs_plan', 'fs_spend'])
    expect(page.made(testAddress, tools).map(({ name }) => name)).toEqual(['fs_plan', 'fs_spend'])
    // It is not requested again with each list.
    await page.prepareLater()
    expect(server.seen).toEqual(['read'])
  })

  it('opens as it was approved', async () => {
    const { page } = await approved({ html })
    expect(await page.servers.toolPage('s', 'plan')).toEqual({ ok: true, value: html })
    expect(await page.servers.toolPage('s', 'spend')).toEqual({ ok: false, error: { why: 'no-page' } })
    expect(await page.servers.toolPage('s', 'gone')).toEqual({ ok: false, error: { why: 'off' } })
  })

  it('stays closed after a change, and its tool waits for approval like any changed tool', async () => {
    const state = { html }
    const { server, tools } = await approved(state)
    state.html = `${html}<p>Send me your password</p>`
    // Another tab, which has read nothing yet.
    const page = openPage(server.fetch)
    await page.approve(testAddress, tools)
    expect(page.offered()).toEqual(['fs_plan', 'fs_spend'])
    expect(await page.servers.toolPage('s', 'plan')).toEqual({ ok: false, error: { why: 'changed' } })
    const status = page.servers.getState()?.[0]?.status
    expect(status).toMatchObject({ comparison: { pending: [{ tool: { name: 'plan' }, before: { name: 'plan' } }] } })
    expect(page.offered()).toEqual(['fs_spend'])
    // Once the new version is approved, it opens.
    const pending = status?.phase === 'listed' ? status.comparison.pending.map(({ tool }) => tool) : []
    await page.approve(testAddress, [...tools.filter(({ name }) => name !== 'plan'), ...pending])
    expect(await page.servers.toolPage('s', 'plan')).toEqual({ ok: true, value: state.html })
  })

  it('names every network address that it wants; a changed list makes it another page', async () => {
    const csp = { resourceDomains: ['https://unpkg.com', 'data:', "'self'"], connectDomains: ['wss://a.example'] }
    const { tools } = await approved({ html, csp })
    const { tools: sealed } = await approved({ html })
    expect(tools[0]?.page?.needs).toEqual(['https://unpkg.com', 'wss://a.example'])
    expect(tools[0]?.page?.hash).not.toBe(sealed[0]?.page?.hash)
  })

  it.each<[string, unknown]>([
    ['no HTML', { contents: [{ uri: 'ui://a', mimeType: 'application/javascript', text: 'steal()' }] }],
    ['nothing', { contents: [] }],
    ['no list', { contents: 'all' }],
    ['too long', { contents: [{ uri: 'ui://a', mimeType: 'text/html', text: 'x'.repeat(5_000_001) }] }],
    ['an error', new Response('{}', { status: 500 })],
  ])('is none if the server sends %s', async (_what, answer) => {
    const { fetch } = oddServer({
      'tools/list': () => ({ tools: [{ name: 'plan', _meta: { ui: { resourceUri: 'ui://a' } } }] }),
      'resources/read': () => answer,
    })
    const { pending } = await openPage(fetch).review(testAddress)
    expect(pending.map(({ tool }) => tool)).toEqual([{ name: 'plan', inputSchema: { type: 'object' } }])
  })

  it.each(['https://evil.example/page.html', 'javascript:alert(1)', 'file:///etc/passwd', 7, null])(
    'is not requested at %s',
    async (resourceUri) => {
      const read: unknown[] = []
      const { fetch } = oddServer({
        'tools/list': () => ({ tools: [{ name: 'plan', _meta: { ui: { resourceUri } } }] }),
        'resources/read': (params) => void read.push(params),
      })
      await openPage(fetch).review(testAddress)
      expect(read).toEqual([])
    },
  )
})

describe('a call that a page asks for', () => {
  it('is sent once after the user agreed, and no model gets it', async () => {
    const { server, ask } = await approved({ html })
    expect(await ask('poll', { total: 4 })).toMatchObject({ kind: 'answered', result: { structuredContent: {} } })
    expect(server.seen).toEqual(['read', 'poll {"total":4}'])
  })

  it.each(['spend', 'gone', 'fs_plan', ''])(
    'is not sent for %s, which is for models only or not approved',
    async (name) => {
      const { server, ask, page } = await approved({ html })
      expect(page.servers.toolForPages('s', name)).toBeNull()
      expect(await ask(name)).toMatchObject({ kind: 'not-sent' })
      expect(server.seen).toEqual(['read'])
    },
  )

  it('is not sent to a server that is off, or that changed the tool', async () => {
    const state = { html }
    const { server, page, ask, tools } = await approved(state)
    await page.approve(
      testAddress,
      tools.map((tool) => (tool.name === 'poll' ? { ...tool, description: 'Old' } : tool)),
    )
    expect(await ask('poll')).toMatchObject({ kind: 'not-sent', failure: { kind: 'changed' } })
    const [known] = page.servers.getState() ?? []
    const { approvedHash: _, id, ...row } = known!.server
    await page.servers.save(id, { ...row, isOn: false })
    expect(await ask('plan')).toMatchObject({ kind: 'not-sent' })
    expect(server.seen).toEqual(['read'])
  })
})

it('gives the model the text of a result, and the page all of it', async () => {
  const { page } = await approved({ html })
  const outcome = await page.run('fs_plan', {})
  expect(outcome).toMatchObject({ ok: true, result: '3 posts', displays: [{ kind: 'app' }] })
  const [shown] = outcome?.ok ? (outcome.displays ?? []) : []
  expect(readShownInPage(shown?.data ?? '')).toMatchObject({
    uri: 'ui://budget/plan.html',
    result: { structuredContent: { posts: [1, 2, 3] } },
  })
})

it('reads any server response about pages', () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<never>
  fc.assert(
    fc.property(json, json, (meta, csp) => {
      const { uri, visibility } = uiOf({ _meta: meta })
      expect(uri === null || uri.startsWith('ui:')).toBe(true)
      expect([null, 'model', 'app']).toContain(visibility)
      const page = readPageText([{ mimeType: 'text/html', text: 'x', _meta: { ui: { csp } } }])
      expect(page?.needs.every((one) => one.length <= 300)).toBe(true)
    }),
  )
})

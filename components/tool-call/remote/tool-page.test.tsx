// @vitest-environment jsdom
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RemoteServer } from '@/lib/client/mcp/remote-server'
import type { McpTool, ToolPage } from '@/lib/shared/conversation/settings/tool-server'
import type { CallAnswer } from '@/lib/shared/mcp/call-answer'
import type { DecideInner, FinishInner } from '@/lib/shared/conversation/wire/call-requests'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import { conversation, outcome, record, reply } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

type Options = Parameters<RemoteServer['call']>[1]
type Wanted = { readonly name: string; readonly args: object }

const page: ToolPage = { uri: 'ui://plan.html', hash: 'a'.repeat(64), chars: 9, needs: [] }
const mocks = vi.hoisted(() => ({
  toolPage: vi.fn<(server: string, tool: string) => Promise<unknown>>(),
  callForPage: vi.fn<(server: string, wanted: Wanted, options: Options) => Promise<CallAnswer>>(),
  approved: [] as McpTool[],
}))
const known = () => [
  { server: { id: 's', isOn: true, url: 'https://b.example' }, approved: mocks.approved, status: {} },
]
let state = known()
vi.mock('@/lib/client/wiring/tools/tool-servers.browser', () => ({
  toolServers: {
    toolPage: mocks.toolPage,
    callForPage: mocks.callForPage,
    toolForPages: (_id: string, name: string) => mocks.approved.find((one) => one.name === name) ?? null,
    load: () => Promise.resolve({ ok: true, value: [] }),
    getState: () => state,
    subscribe: () => () => {},
  },
}))
const stored: unknown[] = []
vi.mock('@/lib/client/wiring/nod-api.browser', async (original) => ({
  ...(await original<object>()),
  nodApi: {
    decideInner: (_id: string, { page: _page, ...asked }: DecideInner) => {
      stored.push([asked.decision, asked.name, asked.n])
      const inner = [{ ...asked, reason: '', by: { kind: 'click' }, decidedAt: 1, outcome: null, page: true }]
      return Promise.resolve({ ok: true, value: { granted: true, call: { ...ended(), inner } } })
    },
    finishInner: (_id: string, { n, outcome: end }: FinishInner) => {
      stored.push([end.status, n, end.result])
      return Promise.resolve({ ok: true, value: ended() })
    },
  },
}))
vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

const tool = (name: string, over: Partial<McpTool> = {}): McpTool => ({
  name,
  inputSchema: { type: 'object' },
  ...over,
})
beforeEach(() => {
  mocks.approved = [tool('plan', { page }), tool('poll', { visibility: 'app' })]
  state = known()
  mocks.toolPage.mockResolvedValue({ ok: true, value: '<script>start()</script>' })
})
afterEach(() => {
  cleanup()
  vi.clearAllMocks()
  stored.length = 0
})

const text = '<tool_code>{"name":"b_plan","arguments":{"total":4}}</tool_code>'
const result = { content: [{ type: 'text', text: '3 posts' }] }

const displays = [{ kind: 'app', data: JSON.stringify({ uri: page.uri, result }) }]
const ended = () => record(0, { name: 'b_plan', gated: true, outcome: outcome({ result: '3 posts', displays }) })

/** A finished call whose tool has a page. */
function finished() {
  const view = renderMessage({
    message: reply({ text }),
    records: [ended()],
    registered: toolsOfSet({ server: 's', host: 'b.example', prefix: 'b' }, mocks.approved),
    models: { models: [], defaultModel: conversation.settings.model, problems: [] },
  })
  return { ...view, user: userEvent.setup() }
}

/** The open page: the messages it receives, and how it sends some. */
async function opened() {
  const view = finished()
  await view.user.click(await screen.findByRole('button', { name: 'Open page' }))
  const frame = (await screen.findByTitle('Page of b.example')) as HTMLIFrameElement
  const inside = frame.contentWindow!
  const heard: Record<string, unknown>[] = []
  inside.postMessage = ((message: Record<string, unknown>) => void heard.push(message)) as typeof inside.postMessage
  const port = { addEventListener() {}, start() {}, close() {}, postMessage() {} }
  const post = (data: unknown, source: unknown = inside) => {
    const event = new MessageEvent('message', { data, source: source as Window })
    Object.defineProperty(event, 'ports', { value: [port] })
    act(() => void window.dispatchEvent(event))
  }
  post({ type: 'nod-run-hello', isApart: true })
  let ids = 0
  const ask = (method: string, params: unknown, source?: unknown) => {
    ids += 1
    post({ jsonrpc: '2.0', id: ids, method, params }, source)
    return ids
  }
  return { ...view, frame, post, ask, answerTo: (id: number) => heard.find((one) => one['id'] === id), heard }
}
const panel = () => screen.getByRole('region', { name: 'Page of b.example' }).textContent
const wish = (name: RegExp) => screen.queryByRole('group', { name })

describe('the page of a tool', () => {
  it('loads only when opened, and then runs in the sealed frame with the call’s result', async () => {
    const { frame, post, heard } = await opened()
    expect(mocks.toolPage).toHaveBeenCalledExactlyOnceWith('s', 'plan')
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts allow-forms')
    expect(frame.getAttribute('src')).toBe('/run.html')
    post({ jsonrpc: '2.0', method: 'ui/notifications/initialized' })
    expect(heard.map(({ method, params }) => [method, params])).toEqual([
      ['ui/notifications/tool-input', { arguments: { total: 4 } }],
      ['ui/notifications/tool-result', result],
    ])
  })

  it('stays closed and says why, if it needs a network', async () => {
    mocks.approved = [tool('plan', { page: { ...page, needs: ['https://unpkg.com'] } })]
    state = known()
    finished()
    expect(await screen.findByText(/needs network access to/)).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Page of b.example' }).textContent).toContain('https://unpkg.com')
    expect(screen.queryByRole('button', { name: 'Open page' })).toBeNull()
    expect(document.querySelector('iframe')).toBeNull()
  })

  it.each([
    [{ why: 'changed' }, /changed after you approved it/],
    [{ why: 'off' }, /is off or removed/],
    [{ why: 'no-page' }, /no longer has this page/],
    [{ why: 'unread', failure: { kind: 'unread' } }, /did not send the page/],
    [{ why: 'unread', failure: { kind: 'sign-in' } }, /needs a sign-in/],
  ])('stays closed and says why: %j', async (error, words) => {
    mocks.toolPage.mockResolvedValue({ ok: false, error })
    const { user } = finished()
    await user.click(await screen.findByRole('button', { name: 'Open page' }))
    expect(await screen.findByText(words)).toBeTruthy()
    expect(document.querySelector('iframe')).toBeNull()
  })

  it('runs in the chat’s process only after the user has agreed', async () => {
    const { user } = finished()
    await user.click(await screen.findByRole('button', { name: 'Open page' }))
    const frame = (await screen.findByTitle('Page of b.example')) as HTMLIFrameElement
    const event = new MessageEvent('message', {
      data: { type: 'nod-run-hello', isApart: false },
      source: frame.contentWindow,
    })
    Object.defineProperty(event, 'ports', { value: [{ close() {} }] })
    act(() => void window.dispatchEvent(event))
    expect(document.querySelector('iframe')).toBeNull()
    expect(screen.getByRole('button', { name: 'Run anyway' })).toBeTruthy()
  })
})

describe('requests of a tool’s page', () => {
  it('runs a call once, by a press, and gives the page its result', async () => {
    const { ask, answerTo, user } = await opened()
    mocks.callForPage.mockResolvedValue({ kind: 'answered', result: { content: [] } })
    const id = ask('tools/call', { name: 'poll', arguments: { month: 'May' } })
    const card = within(wish(/page of b\.example asks to run poll/)!)
    expect(card.getByText(/month \(3 characters\)/)).toBeTruthy()
    expect(mocks.callForPage).not.toHaveBeenCalled()
    await user.click(card.getByRole('button', { name: 'Run' }))
    expect(mocks.callForPage).toHaveBeenCalledExactlyOnceWith(
      's',
      expect.objectContaining({ name: 'poll', args: { month: 'May' } }),
      expect.objectContaining({ of: expect.objectContaining({ slot: 0, inner: 1 }) }),
    )
    expect(stored).toEqual([
      ['run', 'poll', 1],
      ['completed', 1, null],
    ])
    expect(answerTo(id)).toMatchObject({ result: { content: [] } })
    expect(wish(/asks to run/)).toBeNull()
    expect(panel()).toContain('poll: done')
    // Announced, and still a list: an entry without one is an error for assistive technology.
    const entry = screen.getAllByRole('listitem').find(({ textContent }) => textContent.includes('poll: done'))
    expect(entry?.closest('[role=status]')).not.toBeNull()
    expect(entry?.parentElement?.getAttribute('role')).toBeNull()
  })

  it('denies a call, and stops a running one', async () => {
    const { ask, answerTo, user } = await opened()
    const first = ask('tools/call', { name: 'poll' })
    await user.click(screen.getByRole('button', { name: 'Deny' }))
    expect(answerTo(first)).toMatchObject({ result: { isError: true } })
    expect(mocks.callForPage).not.toHaveBeenCalled()
    expect(stored).toEqual([['deny', 'poll', 1]])
    mocks.callForPage.mockImplementation(
      (_server, _wanted, { signal }) =>
        new Promise((done) => signal.addEventListener('abort', () => done({ kind: 'stopped' }))),
    )
    const second = ask('tools/call', { name: 'poll' })
    await user.click(screen.getByRole('button', { name: 'Run' }))
    await user.click(await screen.findByRole('button', { name: 'Stop the call' }))
    await expect.poll(panel).toContain('poll: did not run')
    expect(answerTo(second)).toMatchObject({ error: {} })
  })

  it('stops its calls when it is closed', async () => {
    const { ask, user } = await opened()
    const stopped = vi.fn<() => void>()
    mocks.callForPage.mockImplementation((_server, _wanted, { signal }) => {
      signal.addEventListener('abort', stopped)
      return new Promise(() => {})
    })
    ask('tools/call', { name: 'poll' })
    await user.click(screen.getByRole('button', { name: 'Run' }))
    await user.click(screen.getByRole('button', { name: 'Close page' }))
    expect(stopped).toHaveBeenCalledOnce()
    expect(document.querySelector('iframe')).toBeNull()
  })

  it('shows an address and a message, and neither opens nor sends them', async () => {
    const { ask, answerTo, user } = await opened()
    ask('ui/open-link', { url: 'https://bank.example/pay?x=1' })
    const link = screen.getByRole('link', { name: 'Open bank.example' })
    expect(link.getAttribute('href')).toBe('https://bank.example/pay?x=1')
    expect(link.getAttribute('rel')).toContain('noopener')
    const id = ask('ui/message', { role: 'user', content: { type: 'text', text: 'Buy it all' } })
    const card = within(wish(/suggests a message/)!)
    expect(card.getByText('Buy it all').closest('blockquote')).toBeTruthy()
    await user.click(card.getByRole('button', { name: 'Don’t' }))
    expect(answerTo(id)).toMatchObject({ result: { isError: true } })
  })
})

it('gives what a page has for the model to the message field by a press, and saves a file by one', async () => {
  const { ask, post, user } = await opened()
  ask('ui/update-model-context', { content: [{ type: 'text', text: 'Row 1' }] })
  ask('ui/update-model-context', { content: [{ type: 'text', text: 'Row 2' }] })
  const card = within(wish(/has something for the model/)!)
  expect(card.getByText('Row 2').closest('blockquote')).toBeTruthy()
  expect(card.queryByText('Row 1')).toBeNull()
  await user.click(card.getByRole('button', { name: 'Don’t' }))
  expect(wish(/has something for the model/)).toBeNull()
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  URL.createObjectURL = () => 'blob:x'
  ask('ui/download-file', { contents: [{ resource: { uri: 'file:///tmp/../plan.csv', text: 'a;b' } }] })
  const file = within(wish(/wants to save a file/)!)
  expect(wish(/wants to save a file/)?.textContent).toContain('plan.csv, 3 B')
  expect(save).not.toHaveBeenCalled()
  await user.click(file.getByRole('button', { name: 'Save file' }))
  expect(save).toHaveBeenCalledOnce()
  post({ jsonrpc: '2.0', method: 'ui/notifications/request-teardown' })
  expect(document.querySelector('iframe')).toBeNull()
})

describe('a dishonest tool page', () => {
  it('is ignored if another window sends in its place', async () => {
    const { ask, answerTo } = await opened()
    const id = ask('tools/call', { name: 'poll' }, window)
    expect([wish(/asks to run/), answerTo(id)]).toEqual([null, undefined])
  })

  it('gets no card for tools that are not approved, or of another server', async () => {
    const { ask, answerTo } = await opened()
    for (const name of ['read_file', 'b_plan', 'spend', '']) {
      expect(answerTo(ask('tools/call', { name }))).toHaveProperty('error')
    }
    expect(wish(/asks to run/)).toBeNull()
  })

  it('is ended when it floods, with nothing run', async () => {
    const { ask } = await opened()
    for (let turn = 0; turn < 600; turn += 1) ask('tools/call', { name: 'poll', arguments: { turn } })
    expect(await screen.findByText(/sent too many messages/)).toBeTruthy()
    expect([wish(/asks to run/), document.querySelector('iframe')]).toEqual([null, null])
    expect(mocks.callForPage).not.toHaveBeenCalled()
  })

  it('shows invisible characters of its text, which stays inside its card', async () => {
    const { ask } = await opened()
    ask('ui/message', { content: [{ type: 'text', text: 'yes\u202E won' }] })
    expect(wish(/suggests a message/)?.textContent).toContain('U+202E')
  })
})

it('keeps a call whose server requires an address to be opened first, and runs it again by a press', async () => {
  const said = [
    {
      reason: 'told.remote-open',
      values: { host: 'b.example', why: 'Sign the form', addresses: ['https://forms.example/1', 'javascript:x'] },
    },
  ]
  const stopped = { at: 1, outcome: outcome({ status: 'cancelled', result: { error: 'x' }, said }) }
  const { calls } = renderMessage({
    message: reply({ text }),
    records: [record(0, { name: 'b_plan', stopped })],
    registered: toolsOfSet({ server: 's', host: 'b.example', prefix: 'b' }, mocks.approved),
  })
  const link = await screen.findByRole('link', { name: 'https://forms.example/1' })
  expect(link.getAttribute('href')).toBe('https://forms.example/1')
  expect(screen.queryByRole('link', { name: /javascript/ })).toBeNull()
  expect(screen.getByText('Sign the form').closest('blockquote')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Run again' }))
  expect(calls.runAgain).toHaveBeenCalledOnce()
})

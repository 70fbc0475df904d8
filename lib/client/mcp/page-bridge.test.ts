import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { createPageBridge, type PageAction, type ShownCall } from './page-bridge'

const shownCall: ShownCall = {
  name: 'plan',
  args: { total: 4 },
  defaults: { unit: 'post', total: 9 },
  result: { content: [{ type: 'text', text: '3 posts' }], structuredContent: { posts: [1] } },
}

/** A bridge with its messages to the page and what it shows the user. */
function opened(call: ShownCall = shownCall) {
  const said: JsonObject[] = []
  const state = { wishes: [] as readonly PageAction[], heights: [] as number[], same: 0, closed: 0 }
  const bridge = createPageBridge(call, {
    post: (message) => void said.push(message),
    locale: 'en',
    look: () => ({ theme: 'dark', variables: { '--color-text-primary': 'white' } }),
    mayCall: (name) => ['plan', 'poll'].includes(name),
    onActions: (wishes) => void (state.wishes = wishes),
    onHeight: (px) => void state.heights.push(px),
    onSameCall: () => void (state.same += 1),
    onClose: () => void (state.closed += 1),
  })
  let ids = 0
  return {
    ...bridge,
    said,
    state,
    ask(method: string, params: unknown = {}) {
      ids += 1
      bridge.hear({ jsonrpc: '2.0', id: ids, method, params })
      return ids
    },
    note: (method: string, params: unknown = {}) => bridge.hear({ jsonrpc: '2.0', method, params }),
    answerTo: (id: number) => said.find((one) => one['id'] === id),
  }
}

describe('the page of a tool', () => {
  it('gets its host’s information, then the arguments and the result, once', () => {
    const { ask, note, said, answerTo } = opened()
    const id = ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: {}, appCapabilities: {} })
    expect(answerTo(id)).toMatchObject({
      result: { protocolVersion: '2026-01-26', hostInfo: { name: 'nod' }, hostContext: { displayMode: 'inline' } },
    })
    note('ui/notifications/initialized')
    note('ui/notifications/initialized')
    expect(said.slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { unit: 'post', total: 4 } } },
      { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: shownCall.result },
    ])
  })

  it('learns that its result was not stored', () => {
    const { note, said } = opened({ ...shownCall, result: null })
    note('ui/notifications/initialized')
    expect(said.at(-1)).toMatchObject({ method: 'ui/notifications/tool-cancelled' })
  })

  it('gets the result that it shows when it asks for that same call, once', () => {
    const { ask, answer, answerTo, state } = opened()
    ask('tools/call', { name: 'plan', arguments: { total: 4, unit: 'page' } })
    expect(state.same).toBe(0)
    answer(1, { is: 'denied' })
    // Some fill in what the call left out.
    const first = ask('tools/call', { name: 'plan', arguments: { unit: 'post', total: 4 } })
    expect(answerTo(first)).toMatchObject({ result: shownCall.result })
    expect(state).toMatchObject({ same: 1, wishes: [] })
    const second = ask('tools/call', { name: 'plan', arguments: { total: 4, unit: 'post' } })
    expect(answerTo(second)).toBeUndefined()
    expect(state.wishes).toMatchObject([{ kind: 'call', name: 'plan' }])
  })

  it('reports its height, up to a limit', () => {
    const { note, state } = opened()
    for (const height of [300.4, 99_999, -1, 0, Number.NaN, '300', null])
      note('ui/notifications/size-changed', { height })
    expect(state.heights).toEqual([301, 560])
  })
})

describe('what a page asks for', () => {
  it('is a question to the user, and gets its outcome', () => {
    const { ask, answer, answerTo, state } = opened()
    const call = ask('tools/call', { name: 'poll', arguments: { page: 2 } })
    expect(state.wishes).toEqual([{ number: 1, kind: 'call', name: 'poll', args: { page: 2 } }])
    expect(answerTo(call)).toBeUndefined()
    answer(1, { is: 'called', answer: { kind: 'answered', result: { content: [] } } })
    expect(answerTo(call)).toMatchObject({ result: { content: [] } })
    expect(state.wishes).toEqual([])
    // A second answer would have no question.
    answer(1, { is: 'denied' })
    const link = ask('ui/open-link', { url: 'https://a.example/x' })
    answer(2, { is: 'done' })
    expect(answerTo(link)).toEqual({ jsonrpc: '2.0', id: link, result: {} })
    const message = ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'Plan more' }] })
    expect(state.wishes).toMatchObject([{ kind: 'message', text: 'Plan more' }])
    answer(3, { is: 'denied' })
    expect(answerTo(message)).toMatchObject({ result: { isError: true } })
  })

  it.each([
    [{ kind: 'refused', message: 'no' }, 'no'],
    [{ kind: 'lost' }, 'It is not known whether this call ran.'],
    [{ kind: 'not-sent', failure: { kind: 'changed' } }, 'The call did not run.'],
    [{ kind: 'answered', result: { resultType: 'input_required' } }, 'The server asks for input'],
  ] as const)('ends with an error for %j', (made, message) => {
    const { ask, answer, answerTo } = opened()
    const id = ask('tools/call', { name: 'poll' })
    answer(1, { is: 'called', answer: made })
    expect(answerTo(id)).toMatchObject({ error: { message: expect.stringContaining(message) } })
  })

  it('is reported as denied, not as an error of the page', () => {
    const { ask, answer, answerTo } = opened()
    const id = ask('tools/call', { name: 'poll' })
    answer(1, { is: 'denied' })
    expect(answerTo(id)).toMatchObject({ result: { isError: true } })
  })

  it('waits behind at most three others', () => {
    const { ask, answerTo, state } = opened()
    const ids = Array.from({ length: 50 }, (_, turn) => ask('tools/call', { name: 'poll', arguments: { turn } }))
    expect(state.wishes).toHaveLength(3)
    expect(ids.filter((id) => answerTo(id)?.['error'])).toHaveLength(47)
  })
})

describe('what real pages do', () => {
  it('a page that measures every second has one card, and its further requests are refused', () => {
    const { ask, answer, answerTo, state } = opened()
    const [first, ...others] = Array.from({ length: 5 }, () => ask('tools/call', { name: 'poll', arguments: { a: 1 } }))
    ask('tools/call', { name: 'poll', arguments: { a: 2 } })
    expect(state.wishes).toMatchObject([{ args: { a: 1 } }, { args: { a: 2 } }])
    for (const id of others) expect(answerTo(id)).toMatchObject({ error: { message: expect.stringContaining('same') } })
    answer(1, { is: 'called', answer: { kind: 'answered', result: { content: [] } } })
    expect(answerTo(first!)).toMatchObject({ result: { content: [] } })
    ask('tools/call', { name: 'poll', arguments: { a: 1 } })
    expect(state.wishes).toHaveLength(2)
  })

  it('what it has for the model is one card with the newest text, which a refusal ends', () => {
    const { ask, answer, answerTo, state } = opened()
    const first = ask('ui/update-model-context', { content: [{ type: 'text', text: 'Row 1' }] })
    ask('ui/update-model-context', { content: [{ type: 'text', text: 'Row 2' }], structuredContent: { row: 2 } })
    expect(answerTo(first)).toMatchObject({ result: {} })
    expect(state.wishes).toEqual([{ number: 1, kind: 'context', text: 'Row 2\n\n{\n  "row": 2\n}' }])
    ask('ui/update-model-context', { content: [] })
    expect(state.wishes).toEqual([])
    ask('ui/update-model-context', { content: [{ type: 'text', text: 'Row 3' }] })
    const [{ number } = { number: 0 }] = state.wishes
    answer(number, { is: 'denied' })
    const late = ask('ui/update-model-context', { content: [{ type: 'text', text: 'Row 4' }] })
    expect(answerTo(late)).toMatchObject({ error: {} })
    expect(state.wishes).toEqual([])
  })

  it.each([
    [{ uri: 'file:///report.csv', mimeType: 'text/csv', text: 'a;b' }, 'file:///report.csv', 'a;b'],
    [{ uri: 'ui://x/plan.bin?v=1', blob: btoa('plan') }, 'ui://x/plan.bin', 'plan'],
  ])('a file of it is saved by a press only: %j', (resource, name, text) => {
    const { ask, answer, answerTo, state } = opened()
    const id = ask('ui/download-file', { contents: [{ type: 'resource', resource }] })
    expect(state.wishes).toEqual([{ number: 1, kind: 'file', file: { name, bytes: new TextEncoder().encode(text) } }])
    expect(answerTo(id)).toBeUndefined()
    answer(1, { is: 'done' })
    expect(answerTo(id)).toMatchObject({ result: {} })
  })

  it('it follows the theme of the chat, and may close itself', () => {
    const { ask, answerTo, note, changeLook, said, state } = opened()
    const id = ask('ui/initialize', { protocolVersion: '2026-01-26' })
    expect(answerTo(id)).toMatchObject({
      result: { hostContext: { theme: 'dark', styles: { variables: { '--color-text-primary': 'white' } } } },
    })
    changeLook({ theme: 'light', variables: {} })
    expect(said).toHaveLength(1)
    note('ui/notifications/initialized')
    changeLook({ theme: 'light', variables: {} })
    expect(said.at(-1)).toMatchObject({ method: 'ui/notifications/host-context-changed', params: { theme: 'light' } })
    note('ui/notifications/request-teardown')
    expect(state.closed).toBe(1)
  })
})

describe('a page that breaks the rules', () => {
  const shared = () => {
    let value: unknown = []
    for (let depth = 0; depth < 60; depth += 1) value = [value, value]
    return value
  }
  const circle = () => {
    const value: Record<string, unknown> = {}
    value['self'] = value
    return value
  }
  it.each<[string, () => unknown]>([
    ['a list in itself', circle],
    ['a list that doubles sixty times', shared],
    ['a megabyte of text', () => 'x'.repeat(1_000_000)],
    ['a hundred thousand values', () => Array.from({ length: 200_001 }, () => 0)],
    ['bytes', () => new Uint8Array(100_000_000)],
    ['a map', () => new Map([['a', 1]])],
    ['a bigint', () => 10n],
    ['no number', () => Number.NaN],
  ])('asks with %s, and gets an error without a question', (_what, make) => {
    const { ask, answerTo, said, state } = opened()
    const id = ask('tools/call', { name: 'poll', arguments: { value: make() } })
    expect(answerTo(id)).toMatchObject({ error: { message: 'This message is too large or no JSON.' } })
    expect([said.length, state.wishes]).toEqual([1, []])
  })

  it.each([
    ['a tool that is for models alone', 'tools/call', { name: 'spend' }],
    ['a tool of nobody', 'tools/call', { name: 'read_file' }],
    ['a name that is none', 'tools/call', { name: { toString: 'poll' } }],
    ['arguments that are a list', 'tools/call', { name: 'poll', arguments: [] }],
    ['a script as a link', 'ui/open-link', { url: 'javascript:alert(1)' }],
    ['a file as a link', 'ui/open-link', { url: 'file:///etc/passwd' }],
    ['a link with a password', 'ui/open-link', { url: 'https://user:pass@a.example' }],
    ['an empty message', 'ui/message', { content: [] }],
    ['other resources', 'resources/read', { uri: 'ui://other' }],
    [
      'a file without contents',
      'ui/download-file',
      { contents: [{ type: 'resource_link', uri: 'https://a.example' }] },
    ],
    ['a file of no base64', 'ui/download-file', { contents: [{ resource: { uri: 'file:///a', blob: '!' } }] }],
    ['sampling', 'sampling/createMessage', {}],
    ['a method of objects', 'constructor', {}],
  ])('asks for %s, and is refused without a question', (_what, method, params) => {
    const { ask, answerTo, state } = opened()
    const { error, result } = answerTo(ask(method, params)) ?? {}
    expect(error ?? (result as JsonObject)['isError']).toBeTruthy()
    expect(state.wishes).toEqual([])
  })

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', '{"jsonrpc":"2.0"}'],
    ['another protocol', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['an id that is a list', { jsonrpc: '2.0', id: [1], method: 'ping' }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['an answer to nothing', { jsonrpc: '2.0', id: 1, result: {} }],
    ['parameters that are a list', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: [] }],
  ])('says %s, and gets no answer', (_what, data) => {
    const { hear, said, state } = opened()
    hear(data)
    expect([said, state.wishes]).toEqual([[], []])
  })
})

it('never throws on a window’s messages, and asks the user only for what the page asked', () => {
  const wild = fc.anything({
    withDate: true,
    withMap: true,
    withTypedArray: true,
    withBigInt: true,
    withNullPrototype: true,
  })
  const methods = fc.constantFrom('tools/call', 'ui/message', 'ui/open-link', 'ui/initialize', 'ping', '__proto__', '')
  const messages = fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.integer(), wild),
    method: methods,
    params: wild,
  })
  fc.assert(
    fc.property(fc.oneof(wild, messages), (data) => {
      const { hear, said, state } = opened()
      hear(data)
      expect(said.length + state.wishes.length).toBeLessThanOrEqual(1)
      for (const wish of state.wishes) if (wish.kind === 'call') expect(['plan', 'poll']).toContain(wish.name)
    }),
  )
})

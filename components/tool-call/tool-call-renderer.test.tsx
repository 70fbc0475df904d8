// @vitest-environment jsdom
import type * as builder from '@/lib/protocols/tool-context-builder'
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { getCommandHandler } from '@/components/context/commands'
import type { AssistantMessage, UserMessage } from '@/lib/shared/conversation/conversation'
import type { RunStart } from '@/lib/sandbox/sandbox'
import type { Segment } from '@/lib/protocols/types/segment'
import { callPiece, live, outcome, record, reply, textOf } from './testing/fixtures'
import { choose } from './testing/choose'
import { renderMessage, type Scene } from './testing/render-message'

const segmentsOf = new Map<string, readonly Segment[]>()
vi.mock('@/lib/protocols/tool-context-builder', async (importOriginal) => {
  const actual = await importOriginal<typeof builder>()
  const parseResponse = (_: unknown, text: string) => ({ type: 'mixed', segments: segmentsOf.get(text) ?? [] })
  return { ...actual, toolContextBuilder: { ...actual.toolContextBuilder, parseResponse } }
})
vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

afterEach(cleanup)

function show(
  pieces: Parameters<typeof textOf>[0],
  scene: Omit<Scene, 'message'> = {},
  patch: Partial<AssistantMessage> = {},
) {
  const { text, segments } = textOf(pieces)
  const message = reply({ text, ...patch })
  segmentsOf.set(text, segments)
  return renderMessage({ ...scene, message })
}

const read = callPiece('read_file', { path: '/a.md' })
const list = callPiece('list_directory', { path: '/notes' })
const code = callPiece('browser_js_eval', { code: '1 + 1' })
const card = (name: string) => within(screen.getByRole('group', { name }))

describe('a waiting call', () => {
  it('shows text and cards in place and in order, with what it may touch', async () => {
    const { container } = show(['First I look.\n\n', read, '\n\nThen more.\n', list])
    const texts = [...container.querySelectorAll('p, [role=group]')].map(
      (one) => one.getAttribute('aria-label') ?? one.textContent,
    )
    expect(texts.indexOf('First I look.')).toBeLessThan(texts.indexOf('Tool call: read_file'))
    expect(texts.indexOf('Tool call: read_file')).toBeLessThan(texts.indexOf('Then more.'))
    expect(texts.indexOf('Then more.')).toBeLessThan(texts.indexOf('Tool call: list_directory'))
    const { getByText, getByRole } = card('Tool call: read_file')
    expect(getByText('waiting for you')).toBeTruthy()
    await userEvent.setup().click(getByRole('button', { name: 'Read /a.md' }))
    expect(getByText('Reads this chat’s files')).toBeTruthy()
    expect(getByText('no network')).toBeTruthy()
    expect(getByText('via XML_Tag')).toBeTruthy()
  })

  it('runs on a click, denies on a click', async () => {
    const user = userEvent.setup()
    const { calls } = show([read])
    await user.click(card('Tool call: read_file').getByRole('button', { name: 'Run' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0], { stopAtFailure: false })
    await user.click(card('Tool call: read_file').getByRole('button', { name: 'Deny' }))
    expect(calls.deny).toHaveBeenCalledExactlyOnceWith('m1', [0], '')
  })

  it('denies with a reason, by Enter in the field', async () => {
    const user = userEvent.setup()
    const { calls } = show([read])
    await choose(user, screen.getByRole('group', { name: 'Tool call: read_file' }), /^Deny with a reason/)
    await user.type(screen.getByRole('textbox', { name: 'Reason' }), 'Keep it until Friday.{Enter}')
    expect(calls.deny).toHaveBeenCalledExactlyOnceWith('m1', [0], 'Keep it until Friday.')
  })

  it('shows key hints on one card: the first, then the focused one', async () => {
    show([callPiece('write_file', { path: '/a.md', content: 'x' }), code])
    const hints = () =>
      screen.getAllByRole('button', { name: 'Run' }).map((button) => button.querySelector('kbd') !== null)
    expect(hints()).toEqual([true, false])
    act(() => screen.getByRole('group', { name: 'Tool call: browser_js_eval' }).focus())
    expect(hints()).toEqual([false, true])
  })

  it('handles its keys when focused, but not while typing', async () => {
    const user = userEvent.setup()
    const { calls } = show([read])
    act(() => screen.getByRole('group', { name: 'Tool call: read_file' }).focus())
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(calls.run).toHaveBeenCalledTimes(1)
    await user.keyboard('{Meta>}{Backspace}{/Meta}')
    expect(calls.deny).toHaveBeenCalledTimes(1)
    await user.keyboard('r')
    const field = screen.getByRole('textbox', { name: 'Reason' })
    expect(document.activeElement).toBe(field)
    await user.keyboard('{Control>}{Backspace}{/Control}{Control>}{Enter}{/Control}rr')
    expect(calls.run).toHaveBeenCalledTimes(1)
    expect(calls.deny).toHaveBeenCalledTimes(1)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('textbox', { name: 'Reason' })).toBeNull()
  })

  it('runs once for Ctrl+Enter on the Run button itself', async () => {
    const user = userEvent.setup()
    const { calls } = show([read])
    act(() => screen.getByRole('button', { name: 'Run' }).focus())
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(calls.run).toHaveBeenCalledTimes(1)
  })

  it('moves to its neighbours with arrow keys, and to the next waiting card with its command', async () => {
    const user = userEvent.setup()
    Element.prototype.scrollIntoView = () => {}
    show([read, list, code], { records: [record(1, { outcome: outcome() })] })
    const focused = () => document.activeElement?.getAttribute('aria-label')
    act(() => getCommandHandler('waiting')?.())
    expect(focused()).toBe('Tool call: read_file')
    await user.keyboard('{ArrowDown}')
    expect(focused()).toBe('Tool result: list_directory')
    act(() => getCommandHandler('waiting')?.())
    expect(focused()).toBe('Tool call: read_file')
    act(() => getCommandHandler('waiting')?.())
    expect(focused()).toBe('Tool call: browser_js_eval')
    await user.keyboard('{ArrowUp}')
    expect(focused()).toBe('Tool result: list_directory')
  })

  it('names repairs and coercions, and shows the raw text', async () => {
    const user = userEvent.setup()
    show([
      callPiece(
        'read_file',
        { path: '/a' },
        {
          verdict: 'repaired',
          repairs: ['trailing-comma'],
          coercions: [{ path: 'offset', kind: 'to-integer', became: '3' }],
        },
      ),
    ])
    expect(screen.getByText('1 repair: an extra comma was removed')).toBeTruthy()
    expect(screen.getByText('"offset"').tagName).toBe('CODE')
    expect(screen.getByText(/was written as text and became 3/)).toBeTruthy()
    await choose(user, screen.getByRole('group', { name: 'Tool call: read_file' }), 'Show the model’s text')
    expect(screen.getByRole('group', { name: 'The model’s text' }).textContent).toContain('<tool_code>')
  })

  it('shows the error of the last click, and keeps waiting', () => {
    show([read], { lives: { 0: live({ problem: 'Nothing ran: the server can’t be reached.' }) } })
    expect(screen.getByRole('alert').textContent).toContain('Nothing ran')
    expect(screen.getByRole('button', { name: 'Run' })).toBeTruthy()
  })
})

describe('a batch', () => {
  it('runs and denies all waiting calls of the reply in order', async () => {
    const user = userEvent.setup()
    const { calls } = show([read, 'text', list, code], { records: [record(1, { decision: 'deny' })] })
    const batch = within(screen.getByRole('group', { name: '2 calls are waiting for you' }))
    await user.click(batch.getByRole('button', { name: 'Run all' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0, 2], { stopAtFailure: true })
    await user.click(batch.getByRole('checkbox'))
    await user.click(batch.getByRole('button', { name: 'Run all' }))
    expect(calls.run).toHaveBeenLastCalledWith('m1', [0, 2], { stopAtFailure: false })
    await user.click(batch.getByRole('button', { name: 'Deny all' }))
    expect(calls.deny).toHaveBeenCalledExactlyOnceWith('m1', [0, 2], '')
  })

  it('shows no batch bar for one call', () => {
    show([read])
    expect(screen.queryByRole('button', { name: 'Run all' })).toBeNull()
  })
})

describe('what can’t run', () => {
  it.each([
    ['stopped', 'You stopped the reply'],
    ['failed', 'The model stopped'],
    ['length', 'length limit'],
    ['interrupted', 'The server stopped'],
  ] as const)('offers nothing of a %s reply, and says why', (ended, why) => {
    show([read, list], {}, { outcome: ended })
    expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Deny/ })).toBeNull()
    expect(screen.getByRole('group', { name: 'Tool call: read_file' }).textContent).toContain(why)
  })

  it('shows quoted and foreign calls as grey rows without Run', () => {
    show([
      callPiece('read_file', {}, { standing: 'quoted' }),
      callPiece('list_directory', {}, { standing: 'foreign', dialect: 'hermes' }),
    ])
    expect(screen.queryByRole('button', { name: 'Run' })).toBeNull()
    expect(screen.getByText('quoted in the text, not a call')).toBeTruthy()
    const foreign = screen.getByRole('group', { name: 'Tool call: list_directory' })
    expect(foreign.textContent).toContain('The model wrote this call in Hermes format, but this chat uses XML_Tag.')
    expect(foreign.textContent).toContain('You review it before it runs.')
    expect(within(foreign).getByRole('button', { name: 'Use this call' })).toBeTruthy()
  })

  it('does not count quoted calls as slots', async () => {
    const user = userEvent.setup()
    const { calls } = show([callPiece('read_file', {}, { standing: 'quoted' }), list])
    await user.click(screen.getByRole('button', { name: 'Run' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0], { stopAtFailure: false })
  })

  it('names the nearest tools for an unknown one, and tells the model on a click', async () => {
    const user = userEvent.setup()
    const problem = { code: 'unknown-tool', nearest: ['read_file'] }
    const { calls } = show([callPiece('readfile', {}, { problem })])
    const { getByText, getByRole } = card('Tool call: readfile')
    expect(getByText('no such tool')).toBeTruthy()
    expect(getByText('read_file').tagName).toBe('CODE')
    await user.click(getByRole('button', { name: 'Tell the model' }))
    expect(calls.notifyModel).toHaveBeenCalledExactlyOnceWith('m1', 0)
  })

  it('is sent with the other results when the reply has waiting calls', () => {
    show([callPiece('readfile', {}, { problem: { code: 'unknown-tool', nearest: [] } }), read])
    expect(screen.queryByRole('button', { name: 'Tell the model' })).toBeNull()
    expect(screen.getByText('The model learns about this with the other results.')).toBeTruthy()
  })

  it('shows where a broken call breaks, and asks the model to fix it', async () => {
    const user = userEvent.setup()
    const raw = '<tool_code>{"name": "write_file",\n "content": "# Pl'
    const broken = {
      kind: 'broken',
      reason: 'truncated',
      message: 'Send it again in smaller parts.',
      name: 'write_file',
    }
    const { append } = show(['Here:\n', { raw, segment: broken }])
    const { getByText, getByRole } = card('Broken tool call')
    expect(getByText('ends here')).toBeTruthy()
    expect(getByText('line 2, column 18')).toBeTruthy()
    await user.click(getByRole('button', { name: 'Message to the model' }))
    expect(getByText('Send it again in smaller parts.')).toBeTruthy()
    await user.click(getByRole('button', { name: 'Ask the model to fix it' }))
    expect(append).toHaveBeenCalledExactlyOnceWith('Send it again in smaller parts.')
  })
})

describe('a running call', () => {
  it('shows the last lines of its console, and stops on a click', async () => {
    const user = userEvent.setup()
    const events = Array.from({ length: 12 }, (_, n) => ({
      type: 'console' as const,
      level: 'log' as const,
      text: `line ${n}`,
      atMs: n * 10,
    }))
    const { calls } = show([code], { lives: { 0: live({ events }) } })
    const { getByRole, getByText } = card('Tool call: browser_js_eval')
    expect(getByText('running')).toBeTruthy()
    expect(getByRole('group', { name: 'Console' }).textContent).not.toContain('line 3')
    expect(getByRole('group', { name: 'Console' }).textContent).toContain('line 11')
    await user.click(getByRole('button', { name: 'Stop' }))
    expect(calls.stop).toHaveBeenCalledExactlyOnceWith('m1', 0)
  })

  it('has a light along its edge only while it runs', () => {
    const running = show([code, read], { lives: { 0: live() } })
    const lights = [...running.container.querySelectorAll('[data-sweep]')]
    expect(lights.map((light) => light.closest('[data-call-card]')?.getAttribute('data-call-card'))).toEqual([
      'executing',
    ])
    // It is hidden, because the text beside it says the same.
    expect(lights.every((light) => light.getAttribute('aria-hidden') === 'true')).toBe(true)
    running.unmount()
    const done = show([code], { records: [record(0, { outcome: outcome() })] })
    expect(done.container.querySelector('[data-sweep]')).toBeNull()
  })

  it('says what it waits for until its code starts', () => {
    const progress = (doing: RunStart, done = 0) => ({
      type: 'progress' as const,
      doing,
      part: { done, of: 13_000_000 },
      atMs: 0,
    })
    const loading = [progress('python-loads', 5_000_000), progress('python-loads', 6_000_000)]
    const { unmount } = show([code], { lives: { 0: live({ events: loading }) } })
    expect(screen.getByRole('status').textContent).toContain('Loading Python, 6 of 13 MB…')
    // Neither its time nor its limit has started.
    expect(screen.getByText('can run for 30 s after it starts')).toBeTruthy()
    expect(screen.queryByText(/stops automatically/)).toBeNull()
    expect(document.querySelector('time, [data-elapsed]')).toBeNull()
    unmount()
    show([code], { lives: { 0: live({ events: [...loading, progress(null)] }) } })
    expect(screen.queryByText(/Loading Python/)).toBeNull()
    expect(screen.getByText('stops automatically after 30 s')).toBeTruthy()
  })

  it('says that it runs elsewhere while its lock is held, and offers nothing', () => {
    show([code], { records: [record(0)], held: true })
    expect(screen.getByText(/in another tab/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull()
  })

  it('is interrupted when no tab runs it: the user can run it again or report it to the model', async () => {
    const user = userEvent.setup()
    const { calls } = show([code], { records: [record(0)] })
    const { getByRole } = card('Tool call: browser_js_eval')
    await user.click(getByRole('button', { name: 'Run again' }))
    expect(calls.runAgain).toHaveBeenCalledExactlyOnceWith('m1', 0)
    await user.click(getByRole('button', { name: 'Tell the model' }))
    expect(calls.notifyModel).toHaveBeenCalledExactlyOnceWith('m1', 0)
    expect(calls.run).not.toHaveBeenCalled()
  })
})

describe('an outcome', () => {
  const posted = { postedIn: 'u2' }
  const results: UserMessage = {
    id: 'u2',
    conversationId: 'c1',
    parentId: 'm1',
    createdAt: 3,
    role: 'user',
    text: '',
    results: [],
  }

  it('stays open for printed output, shows its duration, and has the rest behind Details', async () => {
    const user = userEvent.setup()
    const console = [{ level: 'log', text: 'two rows', atMs: 5 }]
    show([code], {
      records: [record(0, { outcome: outcome({ console, result: { value: 2 } }), ...posted })],
      after: [results],
    })
    const head = card('Tool result: browser_js_eval').getByRole('button', { name: /done/ })
    expect(head.getAttribute('aria-expanded')).toBe('true')
    // A value's size says nothing about the work done.
    expect(head.textContent).toMatch(/done.*12 ms$/)
    expect(screen.getByRole('group', { name: 'Result' }).textContent).toBe('2')
    expect(screen.getByRole('group', { name: 'Console' }).textContent).toBe('two rows')
    await user.click(screen.getByRole('button', { name: 'Details' }))
    await user.click(screen.getByRole('tab', { name: 'Console 1' }))
    expect(screen.getAllByRole('group', { name: 'Console' }).at(-1)?.textContent).toContain('0.01 s')
    await user.click(screen.getByRole('tab', { name: 'Call' }))
    expect(screen.getByRole('group', { name: 'Code' }).textContent).toContain('1 + 1')
  })

  it('stays open with a picture: images only from data URLs, SVG and HTML never in the page', () => {
    const displays = [
      { kind: 'image', data: 'data:image/png;base64,AAAA' },
      { kind: 'image', data: 'https://example.org/track.png' },
      { kind: 'svg', data: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>' },
      { kind: 'html', data: '<img src=x onerror=alert(1)>' },
    ]
    const { container } = show([code], {
      records: [record(0, { outcome: outcome({ displays }), ...posted })],
      after: [results],
    })
    const sources = [...container.querySelectorAll('img')].map((image) => image.src)
    expect(sources).toHaveLength(1)
    expect(sources.every((source) => source.startsWith('data:image/'))).toBe(true)
    expect(container.querySelector('svg[onload], [onerror]')).toBeNull()
    expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeTruthy()
  })

  it('says what failed and whether the model knows', () => {
    const failed = outcome({ status: 'error', result: { error: 'There is no file at /b.' } })
    const view = show([read], { records: [record(0, { outcome: failed })] })
    expect(card('Tool result: read_file').getByText('There is no file at /b.')).toBeTruthy()
    expect(screen.getByText('The model does not know yet.')).toBeTruthy()
    view.unmount()
    show([read], { records: [record(0, { outcome: failed, ...posted })], after: [results] })
    expect(screen.getByText('The model knows and can try again.')).toBeTruthy()
    cleanup()
    // Its outcome was lost since: the model may have been told another one.
    show([read], { records: [record(0, { outcome: failed, ...posted, unreadable: ['outcome'] })], after: [results] })
    expect(screen.queryByText('The model knows and can try again.')).toBeNull()
    expect(screen.getByText('The model got what was known at that time.')).toBeTruthy()
  })

  it('shows the reason of a denial', () => {
    show([read], { records: [record(0, { decision: 'deny', reason: 'Not now.', ...posted })], after: [results] })
    expect(card('Tool result: read_file').getByText('You denied this: “Not now.”')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Run' })).toBeNull()
  })

  it('names the parts of its row that can’t be read, and shows no unrecorded click', () => {
    const lost = record(0, {
      decision: 'skip',
      by: { kind: 'unknown' },
      unreadable: ['decision', 'release'],
      ...posted,
    })
    show([read], { records: [lost], after: [results] })
    const own = card('Tool result: read_file')
    expect(own.getByText(/cannot be read: the decision and the decision about its result\.$/)).toBeTruthy()
    expect(own.getByText('The decision about this call can no longer be read, so it does not run.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Run' })).toBeNull()
  })

  it('can’t run while the user’s edit of it can’t be read, and offers to undo the edit', () => {
    show([read], { amendments: [{ messageId: 'm1', slot: 0, call: null, amendedAt: 1, unreadable: true }] })
    const own = card('Tool call: read_file')
    expect(own.getByText(/^The saved copy of your edit is damaged/)).toBeTruthy()
    expect(own.getByRole('button', { name: 'Undo edit' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull()
  })

  it('is skipped when the user sent another message', () => {
    show([read], { after: [{ ...results, text: 'never mind' }] })
    expect(card('Tool result: read_file').getByText('You sent a message instead, so this did not run.')).toBeTruthy()
  })

  it.each([
    [
      'what it had said',
      outcome({ status: 'cancelled', durationMs: 3_200, console: [{ level: 'log', text: 'half', atMs: 1 }] }),
    ],
    ['nothing, its page being gone', null],
  ] as const)('says stopped by you from the row alone, with %s', (_what, said) => {
    show([code], { records: [record(0, { name: 'browser_js_eval', stopped: { at: 5, outcome: said } })] })
    const { getByText, queryByText } = card('Tool result: browser_js_eval')
    expect(getByText('stopped')).toBeTruthy()
    expect(getByText('You stopped this while it ran.')).toBeTruthy()
    expect(queryByText(/closed or reloaded/)).toBeNull()
    expect(getByText('The model does not know yet.')).toBeTruthy()
    if (said) {
      expect(getByText(/3\.2 s/)).toBeTruthy()
      expect(getByText('half')).toBeTruthy()
    }
    expect(getByText('Run again')).toBeTruthy()
  })

  describe('a call that the user did not wait for', () => {
    const unfinished: UserMessage = {
      id: 'u2',
      conversationId: 'c1',
      parentId: 'm1',
      createdAt: 3,
      role: 'user',
      text: 'And then?',
      results: [
        {
          messageId: 'm1',
          slot: 0,
          callId: 'call_1',
          name: 'browser_js_eval',
          status: 'unfinished',
          result: {},
          durationMs: null,
        },
      ],
    }
    const row = record(0, { name: 'browser_js_eval', postedIn: 'u2' })

    it('keeps running in view, can be stopped, and says what the model learned', () => {
      show([code], { records: [row], lives: { 0: live() }, after: [unfinished] })
      const { getByText, getByRole } = card('Tool call: browser_js_eval')
      expect(getByText(/You sent a message before this call finished\. The model only knows/)).toBeTruthy()
      expect(getByRole('button', { name: 'Stop' })).toBeTruthy()
      expect(screen.queryByText(/closed or reloaded/)).toBeNull()
    })

    it('shows its outcome and files, and when the model is informed', async () => {
      const user = userEvent.setup()
      const files = {
        kept: true,
        total: 1,
        changes: [{ path: '/made.txt', change: 'created', kind: 'file', size: 4 }],
      } as const
      const records = [{ ...row, outcome: outcome({ result: { value: 2 }, files }) }]
      const { unmount } = show([code], { records, after: [unfinished] })
      await user.click(card('Tool result: browser_js_eval').getByRole('button', { expanded: false }))
      expect(screen.getByText(/The model gets the outcome with your next message\./)).toBeTruthy()
      expect(screen.getByText('It changed 1 file.')).toBeTruthy()
      unmount()
      const late = [{ ...(unfinished.results[0] as UserMessage['results'][number]), status: 'completed' as const }]
      const next: UserMessage = { ...unfinished, id: 'u3', parentId: 'm2', results: [], late }
      show([code], { records, after: [unfinished, next] })
      await user.click(card('Tool result: browser_js_eval').getByRole('button', { expanded: false }))
      expect(screen.getByText(/The model got the outcome with a later message\./)).toBeTruthy()
    })

    it('says that its page was closed, offers no second run, and claims nothing unknown', () => {
      show([code], { records: [row], after: [unfinished] })
      const { getByText, queryByRole } = card('Tool call: browser_js_eval')
      expect(getByText(/The page was closed or reloaded while this ran/)).toBeTruthy()
      expect(getByText(/The model only knows that it was not finished/)).toBeTruthy()
      expect(queryByRole('button', { name: 'Run again' })).toBeNull()
    })
  })

  it('leaves a stopped call to the user', async () => {
    const user = userEvent.setup()
    const { calls } = show([code], {
      records: [record(0)],
      lives: { 0: live({ outcome: outcome({ status: 'cancelled', result: { error: 'stopped' } }) }) },
    })
    const { getByRole, getByText } = card('Tool result: browser_js_eval')
    expect(getByText('stopped')).toBeTruthy()
    await user.click(getByRole('button', { name: 'Tell the model' }))
    expect(calls.notifyModel).toHaveBeenCalledExactlyOnceWith('m1', 0)
  })

  it('keeps and shows a result that is not stored yet', () => {
    show([read], {
      records: [record(0)],
      lives: { 0: live({ outcome: outcome(), problem: 'The result is not stored yet.' }) },
    })
    expect(card('Tool result: read_file').getByText('The result is not stored yet.')).toBeTruthy()
  })
})

describe('reasoning', () => {
  it('is collapsed, shown as plain text, and never a card', async () => {
    const user = userEvent.setup()
    show([{ raw: '<think>Let me **see** <b>x</b>.</think>', segment: { kind: 'reasoning' } }, 'Hello.'])
    expect(screen.queryByText(/Let me/)).toBeNull()
    await user.click(screen.getByRole('button', { name: /^Thought, \d+ words$/ }))
    expect(screen.getByText('Let me **see** <b>x</b>.')).toBeTruthy()
  })
})

// @vitest-environment jsdom
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getCommandHandler } from '@/components/context/commands'
import type { Message, UserMessage } from '@/lib/shared/conversation/conversation'
import type { Grant } from '@/lib/shared/conversation/call-record'
import { choose, menuOf } from '../testing/choose'
import { outcome, record, reply } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const show = (text: string, scene: Omit<Scene, 'message'> = {}) => renderMessage({ ...scene, message: reply({ text }) })
const code = (name: string, args: object) => `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>`
const read = code('read_file', { path: '/notes/a.md' })
const list = code('list_directory', { path: '/notes' })
const run = code('browser_js_eval', { code: '1 + 1' })
const card = (name: string) => within(screen.getByRole('group', { name }))
const bar = (count: number) =>
  within(
    screen.getByRole('group', {
      name: count === 1 ? '1 call is waiting for you' : `${count} calls are waiting for you`,
    }),
  )
const stop = { stopAtFailure: true }

describe('a selection', () => {
  it('runs what is checked in its order, and denies the rest', async () => {
    const user = userEvent.setup()
    const { calls } = show([read, list, run].join('\n'))
    await user.click(bar(3).getByRole('button', { name: 'Select' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select list_directory, number 2 of 3' }))
    await user.click(bar(3).getByRole('button', { name: 'Run selected' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0, 2], stop)
    await user.click(bar(3).getByRole('button', { name: 'Deny the rest' }))
    expect(calls.deny).toHaveBeenCalledExactlyOnceWith('m1', [1], '')
    await user.click(bar(3).getByRole('button', { name: 'Select' }))
    expect(screen.queryByRole('checkbox', { name: /^Select/ })).toBeNull()
  })

  it('is reordered with buttons and with Alt and an arrow key, and Run all keeps the order', async () => {
    const user = userEvent.setup()
    const { calls } = show([read, list, run].join('\n'))
    await user.click(bar(3).getByRole('button', { name: 'Select' }))
    await user.click(screen.getByRole('button', { name: 'Run browser_js_eval earlier' }))
    expect(screen.getByRole('checkbox', { name: 'Select browser_js_eval, number 2 of 3' })).toBeTruthy()
    await user.click(bar(3).getByRole('button', { name: 'Run selected' }))
    expect(calls.run).toHaveBeenLastCalledWith('m1', [0, 2, 1], stop)
    act(() => screen.getByRole('group', { name: 'Tool call: read_file' }).focus())
    await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{ArrowDown}{/Alt}')
    await user.click(bar(3).getByRole('button', { name: 'Select' }))
    await user.click(bar(3).getByRole('button', { name: 'Run all' }))
    expect(calls.run).toHaveBeenLastCalledWith('m1', [2, 1, 0], stop)
  })
})

describe('more calls than may run in one reply', () => {
  const four = [read, list, run, code('read_file', { path: '/notes/b.md' })].join('\n')
  const two = { maxCallsPerReply: 2 }
  const late = 'This chat runs at most 2 calls per reply. If the 2 calls before this one run, this one does not.'
  const lates = () => screen.queryAllByRole('note').filter((one) => one.textContent === late)
  const cardsSaying = () => lates().map((one) => one.closest('[role="group"]')?.getAttribute('aria-label'))

  it('are announced on the cards beyond the limit and beside Run all, before any click', async () => {
    const { calls } = show(four, { tools: two })
    expect(cardsSaying()).toEqual(['Tool call: browser_js_eval', 'Tool call: read_file'])
    expect(screen.getByText(/“Run all” runs the first 2 of 4: this chat runs at most 2 calls per reply\./)).toBeTruthy()
    await userEvent.click(bar(4).getByRole('button', { name: 'Run all' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0, 1], stop)
  })

  it('count those that ran, but not denied ones', () => {
    show(four, {
      tools: { maxCallsPerReply: 3 },
      records: [record(0, { outcome: outcome() }), record(1, { decision: 'deny' })],
    })
    expect(screen.queryByText(/per reply/)).toBeNull()
    cleanup()
    show(four, { tools: two, records: [record(0, { outcome: outcome() }), record(1, { decision: 'deny' })] })
    expect(screen.getByRole('note').textContent).toMatch(/If the call before this one runs, this one does not\.$/)
    expect(screen.getByText(/“Run all” runs the first 1 of 2/)).toBeTruthy()
  })

  it('follow the order and the selection', async () => {
    const user = userEvent.setup()
    const { calls } = show(four, { tools: two })
    await user.click(bar(4).getByRole('button', { name: 'Select' }))
    expect(screen.getByText(/“Run selected” runs the first 2 of 4/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Run browser_js_eval earlier' }))
    expect(cardsSaying()).toEqual(['Tool call: list_directory', 'Tool call: read_file'])
    await user.click(screen.getByRole('checkbox', { name: 'Select read_file, number 1 of 4' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select list_directory, number 3 of 4' }))
    expect(screen.queryByText(/runs the first/)).toBeNull()
    await user.click(bar(4).getByRole('button', { name: 'Run selected' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [2, 3], stop)
  })

  it('are not mentioned if all of them may run', () => {
    show(four, { tools: { maxCallsPerReply: 4 } })
    expect(screen.queryByText(/per reply/)).toBeNull()
  })
})

describe('from the palette', () => {
  const shown = vi.fn<() => void>()
  beforeEach(() => {
    shown.mockClear()
    HTMLElement.prototype.scrollIntoView = shown
  })
  const ask = (command: 'run-all' | 'deny-all') => act(() => getCommandHandler(command)?.())

  it('all waiting calls run or are denied, as with the buttons', async () => {
    const { calls } = show([read, list].join('\n'))
    document.elementFromPoint = () => screen.getByRole('button', { name: 'Run all' })
    ask('run-all')
    await vi.waitFor(() => expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0, 1], stop))
    document.elementFromPoint = () => screen.getByRole('button', { name: 'Deny all' })
    ask('deny-all')
    await vi.waitFor(() => expect(calls.deny).toHaveBeenCalledExactlyOnceWith('m1', [0, 1], ''))
    expect(shown).not.toHaveBeenCalled()
  })

  it('nothing runs unseen: the button scrolls into view, and waits for the press', async () => {
    const user = userEvent.setup()
    const { calls } = show([read, list].join('\n'))
    document.elementFromPoint = () => document.body
    for (const command of ['run-all', 'deny-all'] as const) {
      ask(command)
      expect(document.activeElement?.textContent).toBe(command === 'run-all' ? 'Run all' : 'Deny all')
    }
    document.elementFromPoint = () => null
    ask('run-all')
    expect(shown).toHaveBeenCalledTimes(3)
    expect(document.activeElement?.textContent).toBe('Run all')
    await user.keyboard('{Enter}')
    await vi.waitFor(() => expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0, 1], stop))
    expect(calls.deny).not.toHaveBeenCalled()
  })

  it('is not offered during a selection, after a failure, or for one call', async () => {
    const user = userEvent.setup()
    show([read, list].join('\n'))
    expect([getCommandHandler('run-all'), getCommandHandler('deny-all')]).not.toContain(undefined)
    await user.click(bar(2).getByRole('button', { name: 'Select' }))
    expect([getCommandHandler('run-all'), getCommandHandler('deny-all')]).toEqual([undefined, undefined])
    cleanup()
    show([read, list].join('\n'), {
      records: [record(0, { outcome: outcome({ status: 'error', result: { error: 'No.' } }) })],
    })
    expect([getCommandHandler('run-all'), getCommandHandler('deny-all')]).toEqual([undefined, undefined])
    cleanup()
    show(read)
    expect([getCommandHandler('run-all'), getCommandHandler('deny-all')]).toEqual([undefined, undefined])
  })
})

describe('how calls of one batch run', () => {
  it.each([
    [false, 'They run in this order. All results are sent in one message.'],
    [true, 'They run in parallel, up to 4 at once. All results are sent in one message.'],
  ])('shows the chat’s setting: side by side %s', (parallelExecution, words) => {
    show([read, list].join('\n'), { tools: { parallelExecution } })
    expect(bar(2).getByText(words)).toBeTruthy()
  })
})

describe('a batch that stopped at a failure', () => {
  const failed = record(0, { outcome: outcome({ status: 'error', result: { error: 'No.' } }) })

  it('can continue, skip the next call, or send the results', async () => {
    const user = userEvent.setup()
    const { calls } = show([read, list, run].join('\n'), { records: [failed] })
    expect(
      bar(2).getByText(/read_file failed\. Continue runs the others\. Skip leaves list_directory out\./),
    ).toBeTruthy()
    await user.click(bar(2).getByRole('button', { name: 'Continue' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [1, 2], stop)
    await user.click(bar(2).getByRole('button', { name: 'Skip' }))
    expect(calls.skip).toHaveBeenLastCalledWith('m1', [1])
    await user.click(bar(2).getByRole('button', { name: 'Send finished results' }))
    expect(calls.skip).toHaveBeenLastCalledWith('m1', [1, 2])
  })

  it('asks for a single call too', () => {
    show([read, list].join('\n'), { records: [failed] })
    expect(bar(1).getByRole('button', { name: 'Send finished results' })).toBeTruthy()
    expect(bar(1).queryByRole('button', { name: 'Select' })).toBeNull()
  })

  it('shows a skipped call as skipped', () => {
    show([read, list].join('\n'), { records: [record(0, { outcome: outcome() }), record(1, { decision: 'skip' })] })
    expect(card('Tool result: list_directory').getByText('You skipped this, so it did not run.')).toBeTruthy()
  })
})

describe('a repeated call', () => {
  const user = (id: string, text: string): UserMessage => ({
    id,
    conversationId: 'c1',
    parentId: null,
    createdAt: 1,
    role: 'user',
    text,
    results: [],
  })
  const before = (times: number): Message[] => [
    user('u', 'Go.'),
    ...Array.from({ length: times }, (_, n) => [reply({ id: `b${n}`, text: read }), user(`r${n}`, '')]).flat(),
  ]

  it.each([
    [1, null],
    [2, 'The model has requested this three times.'],
    [3, 'The model has requested this four times.'],
    [4, 'The model has requested this five times. You can only run it from this card.'],
  ])('after %i others says: %s', (times, words) => {
    show(read, { before: before(times) })
    const said = screen.queryByText(/The model has requested this/)?.textContent ?? null
    expect(said).toBe(words)
  })

  it('is left out of Run all at five, and starts again after the user’s next message', async () => {
    const typing = userEvent.setup()
    const { calls, unmount } = show([read, list].join('\n'), { before: before(4) })
    expect(bar(2).getByText(/Run all skips 1 call that was repeated five times\./)).toBeTruthy()
    await typing.click(bar(2).getByRole('button', { name: 'Run all' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [1], stop)
    unmount()
    show(read, { before: [...before(4), user('own', 'Once more.')] })
    expect(screen.queryByText(/The model has requested/)).toBeNull()
  })
})

describe('a remembered answer', () => {
  it.each([
    ['exactly this call', 'arguments'],
    ['read_file in /notes and its subfolders', 'folder'],
    ['every read_file', 'tool'],
  ] as const)('for %s', async (words, kind) => {
    const user = userEvent.setup()
    const { calls } = show(read)
    await choose(user, screen.getByRole('group', { name: 'Tool call: read_file' }), 'Don’t ask again…', words)
    expect(calls.remember).toHaveBeenCalledExactlyOnceWith('m1', 0, kind, [])
  })

  it('is not offered for a sensitive tool', async () => {
    show(run)
    const items = await menuOf(userEvent.setup(), screen.getByRole('group', { name: 'Tool call: browser_js_eval' }))
    expect(items).not.toContain('Don’t ask again…')
    expect(items).toContain('Copy')
  })

  it('shows an error if it could not be stored', async () => {
    const user = userEvent.setup()
    const { calls } = show(read)
    calls.remember.mockResolvedValue('The server cannot be reached.')
    const waiting = screen.getByRole('group', { name: 'Tool call: read_file' })
    await choose(user, waiting, 'Don’t ask again…', 'every read_file')
    expect((await screen.findByRole('alert')).textContent).toBe('The server cannot be reached.')
  })

  it('is named on the card of a call that it ran', async () => {
    const user = userEvent.setup()
    const grant: Grant = {
      id: 'g',
      scope: { kind: 'folder', tool: 'read_file', folder: '/notes' },
      createdAt: 1,
      uses: 1,
      lastUsedAt: 2,
      revokedAt: null,
    }
    const by = { kind: 'grant', grantId: 'g' } as const
    show(read, { grants: [grant], records: [record(0, { by, outcome: outcome() })] })
    const settled = card('Tool result: read_file')
    await user.click(settled.getByRole('button', { name: /read_file/ }))
    expect(settled.getByText(/^ran automatically: you allowed/).textContent).toBe(
      'ran automatically: you allowed read_file in /notes and its subfolders here',
    )
  })

  it('is shown on the card that gave it: the user pressed Run, and what else that allowed', async () => {
    const user = userEvent.setup()
    const grant: Grant = {
      id: 'g',
      scope: { kind: 'folder', tool: 'read_file', folder: '/' },
      createdAt: 1,
      uses: 0,
      lastUsedAt: null,
      revokedAt: 9,
      givenOn: { messageId: 'm1', slot: 0 },
    }
    show(`${read}\n${list}`, {
      grants: [grant],
      records: [record(0, { outcome: outcome() }), record(1, { name: 'list_directory', outcome: outcome() })],
    })
    const settled = card('Tool result: read_file')
    await user.click(settled.getByRole('button', { name: /read_file/ }))
    expect(
      settled.getByText(
        'you pressed Run and allowed read_file in all folders of this chat (revoked since) for later replies',
      ),
    ).toBeTruthy()
    const other = card('Tool result: list_directory')
    await user.click(other.getByRole('button', { name: /list_directory/ }))
    expect(other.queryByText(/pressed Run/)).toBeNull()
  })

  it('runs other waiting calls only by a separate choice, which counts and names them', async () => {
    const user = userEvent.setup()
    const at = (path: string) => `<tool_code>${JSON.stringify({ name: 'read_file', arguments: { path } })}</tool_code>`
    const calls4 = [at('/site/a.js'), at('/site/css/b.css'), at('/other.md'), at('/site/c.js')].join('\n')
    const { calls } = show(calls4, { records: [record(3, { outcome: outcome() })] })
    const [first] = screen.getAllByRole('group', { name: 'Tool call: read_file' }) as [HTMLElement]
    const folder = 'read_file in /site and its subfolders'
    const remember = (words: string) => choose(user, first, 'Don’t ask again…', words)
    await remember(`${folder} (the 1 call that waits now still waits)`)
    expect(calls.remember).toHaveBeenLastCalledWith('m1', 0, 'folder', [])
    await remember(`${folder}, and run the waiting call now: read_file /site/css/b.css`)
    expect(calls.remember).toHaveBeenLastCalledWith('m1', 0, 'folder', [1])
    await remember('every read_file, and run the 2 waiting calls now: read_file /site/css/b.css, read_file /other.md')
    expect(calls.remember).toHaveBeenLastCalledWith('m1', 0, 'tool', [1, 2])
  })

  it('of the settings is named too', async () => {
    const user = userEvent.setup()
    show(read, { records: [record(0, { by: { kind: 'auto' }, outcome: outcome() })] })
    await user.click(screen.getByRole('button', { name: /read_file/ }))
    expect(screen.getByText('ran automatically: read_file runs without asking in this chat')).toBeTruthy()
  })
})

describe('a result', () => {
  it('that is a list of objects is shown as a table or a tree', async () => {
    const user = userEvent.setup()
    const result = { path: '/notes', entries: [{ name: 'a.md', size: 120 }, { name: 'b' }] }
    show(list, { records: [record(0, { name: 'list_directory', outcome: outcome({ result }) })] })
    await user.click(screen.getByRole('button', { name: /list_directory/ }))
    const table = within(screen.getByRole('group', { name: 'Result: entries' }))
    expect(table.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['name', 'size'])
    expect(table.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['a.md', '120', 'b', ''])
    await user.click(screen.getByRole('button', { name: 'More' }))
    await user.click(screen.getByRole('menuitem', { name: 'Tree' }))
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getByRole('group', { name: 'Result: entries' }).textContent).toContain('"a.md"')
  })

  it('keeps the model’s exact text', async () => {
    const user = userEvent.setup()
    show(list, { records: [record(0, { name: 'list_directory', outcome: outcome() })] })
    await user.click(screen.getByRole('button', { name: /list_directory/ }))
    await user.click(screen.getByRole('button', { name: 'Details' }))
    await user.click(screen.getByRole('tab', { name: 'Raw' }))
    expect(screen.getByRole('group', { name: 'The model’s text' }).textContent).toContain(list)
  })
})

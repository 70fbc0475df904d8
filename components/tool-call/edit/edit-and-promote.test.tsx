// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { UserMessage } from '@/lib/shared/conversation/conversation'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import { promotedSlot } from '@/lib/shared/calls/message-calls'
import { choose } from '../testing/choose'
import { record, reply } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const show = (text: string, scene: Omit<Scene, 'message'> = {}) => renderMessage({ ...scene, message: reply({ text }) })
const code = (name: string, args: object) => `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>`
const card = (name: string) => within(screen.getByRole('group', { name }))
const amendment = (call: CallAmendment['call'], slot = 0): CallAmendment => ({
  messageId: 'm1',
  slot,
  call,
  amendedAt: 1,
})
const said: UserMessage = {
  id: 'u2',
  conversationId: 'c1',
  parentId: 'm1',
  createdAt: 3,
  role: 'user',
  text: 'no',
  results: [],
}

describe('editing a waiting call', () => {
  const text = code('write_file', { path: '/a.md', content: 'one' })
  const open = async (user: ReturnType<typeof userEvent.setup>) => {
    const edit = screen.queryByRole('button', { name: 'Edit' })
    if (edit) await user.click(edit)
    // A collapsed card has no button for it.
    else await choose(user, screen.getByRole('group', { name: /^Tool call: / }), /^Edit/)
    return within(await screen.findByRole('form', { name: 'Edit the call' }))
  }

  it('saves the form’s values, and closes', async () => {
    const user = userEvent.setup()
    const { calls } = show(text)
    const form = await open(user)
    const path = form.getByRole('textbox', { name: 'path' })
    expect(document.activeElement).toBe(path)
    await user.clear(path)
    await user.type(path, '/b.md')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', 0, {
      name: 'write_file',
      arguments: { path: '/b.md', content: 'one' },
    })
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
    expect(calls.run).not.toHaveBeenCalled()
  })

  it('shows errors at their field, and saves nothing until it is valid', async () => {
    const user = userEvent.setup()
    const { calls } = show(code('read_file', { path: '/a', offset: 3 }))
    const form = await open(user)
    const offset = form.getByRole('textbox', { name: 'offset' })
    await user.clear(offset)
    await user.type(offset, '0')
    expect(form.getByText('It must be at least 1.')).toBeTruthy()
    expect(offset.getAttribute('aria-invalid')).toBe('true')
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(calls.amend).not.toHaveBeenCalled()
    await user.clear(offset)
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', 0, { name: 'read_file', arguments: { path: '/a' } })
  })

  it('carries input from the form to the raw view and back', async () => {
    const user = userEvent.setup()
    const { calls } = show(code('read_file', { path: '/a' }))
    const form = await open(user)
    await user.type(form.getByRole('textbox', { name: 'limit' }), 'ten')
    await user.click(form.getByRole('radio', { name: 'JSON' }))
    const raw = form.getByRole<HTMLTextAreaElement>('textbox', { name: 'Arguments as JSON' })
    expect(JSON.parse(raw.value)).toEqual({ path: '/a', limit: 'ten' })
    fireEvent.change(raw, { target: { value: '{"path":"/a","limit":10' } })
    expect(form.getByRole('status').textContent).toContain('it ends too early')
    await user.click(form.getByRole('radio', { name: 'Form' }))
    expect(form.getByRole('status').textContent).toContain('can only show valid JSON')
    expect(raw.value).toBe('{"path":"/a","limit":10')
    fireEvent.change(raw, { target: { value: '{"path":"/a","limit":10}' } })
    await user.click(form.getByRole('radio', { name: 'Form' }))
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'limit' }).value).toBe('10')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', 0, {
      name: 'read_file',
      arguments: { path: '/a', limit: 10 },
    })
  })

  it('shows code as code in its raw view', async () => {
    const user = userEvent.setup()
    const { calls } = show(code('browser_js_eval', { code: '1 + 1' }))
    const form = await open(user)
    await user.click(form.getByRole('radio', { name: 'Code' }))
    fireEvent.change(form.getByRole('textbox', { name: 'Code' }), { target: { value: '2 + "{"' } })
    await user.keyboard('{Control>}{Enter}{/Control}')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(calls.amend).toHaveBeenCalledWith('m1', 0, { name: 'browser_js_eval', arguments: { code: '2 + "{"' } })
    expect(calls.run).not.toHaveBeenCalled()
  })

  it('opens with E on the card, not while typing, and Esc returns without a change', async () => {
    const user = userEvent.setup()
    const { calls } = show(text)
    const group = screen.getByRole('group', { name: 'Tool call: write_file' })
    act(() => group.focus())
    await user.keyboard('e')
    const form = within(await screen.findByRole('form'))
    await user.type(form.getByRole('textbox', { name: 'content' }), 'er')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('form')).toBeNull()
    expect(document.activeElement).toBe(group)
    expect(calls.amend).not.toHaveBeenCalled()
  })

  it('stays open and says so if the change could not be stored', async () => {
    const user = userEvent.setup()
    const { calls } = show(text)
    calls.amend.mockResolvedValue('The server cannot be reached.')
    const form = await open(user)
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await form.findByText('The server cannot be reached.')).toBeTruthy()
  })
})

describe('an edited call', () => {
  it('says what was changed, shows the difference, and can undo it', async () => {
    const user = userEvent.setup()
    const { calls } = show(code('read_file', { path: '/a.md' }), {
      amendments: [amendment({ name: 'read_file', arguments: { path: '/b.md' } })],
    })
    const { getByText, getByRole, findByText } = card('Tool call: read_file')
    expect(
      getByText((_, element) => element?.textContent === 'You changed path.' && element.tagName === 'P'),
    ).toBeTruthy()
    expect(await findByText('/a.md')).toBeTruthy()
    expect(getByRole('group', { name: 'Requested and edited' }).textContent).toContain('/b.md')
    await choose(user, screen.getByRole('group', { name: 'Tool call: read_file' }), 'Undo your edit')
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', 0, 'undo')
  })

  it('still says so once it ran, without an undo', () => {
    const call = { name: 'read_file', arguments: { path: '/b.md' } }
    show(code('read_file', { path: '/a.md' }), {
      amendments: [amendment(call)],
      records: [
        record(0, {
          changed: call,
          outcome: { status: 'error', result: { error: 'No.' }, durationMs: 1, console: [], displays: [] },
        }),
      ],
    })
    const { container } = { container: screen.getByRole('group', { name: 'Tool result: read_file' }) }
    expect(container.textContent).toContain('You changed path.')
    expect(screen.queryByRole('button', { name: 'Undo edit' })).toBeNull()
  })
})

describe('a call that can’t run as written', () => {
  it('for no such tool: the nearest one is preselected', async () => {
    const user = userEvent.setup()
    const { calls } = show(code('reed_fil', { path: '/a' }))
    await user.click(card('Tool call: reed_fil').getByRole('button', { name: 'Edit' }))
    const form = within(await screen.findByRole('form'))
    const select = form.getByRole<HTMLSelectElement>('combobox', { name: 'Tool' })
    expect(select.value).toBe('read_file')
    expect([...select.options].map((option) => option.value)).toContain('write_file')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', 0, { name: 'read_file', arguments: { path: '/a' } })
  })

  it('for wrong arguments: the form shows the errors', async () => {
    const user = userEvent.setup()
    show(code('read_file', { path: '/a', offset: 'x' }))
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    expect(await screen.findByText('It must be an integer, not a string.')).toBeTruthy()
  })

  it('for a tool that is switched off: no Edit, but Deny', async () => {
    const user = userEvent.setup()
    const { calls } = show(code('read_file', { path: '/a' }), { tools: { toolToggles: { read_file: false } } })
    expect(screen.getByText('turned off')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Deny' }))
    expect(calls.deny).toHaveBeenCalledExactlyOnceWith('m1', [0], '')
  })

  it('can be denied with a reason, by key', async () => {
    const user = userEvent.setup()
    const { calls } = show(code('reed_fil', { path: '/a' }))
    screen.getByRole('group', { name: 'Tool call: reed_fil' }).focus()
    await user.keyboard('r')
    await user.type(screen.getByRole('textbox'), 'no such thing{Enter}')
    expect(calls.deny).toHaveBeenCalledExactlyOnceWith('m1', [0], 'no such thing')
    expect(calls.run).not.toHaveBeenCalled()
  })

  it('after the user’s edit: shows the error, that all wait, and offers undo, Edit and Deny, not Tell', () => {
    const wrong = amendment({ name: 'read_file', arguments: { path: '/a', offset: 'x' } })
    show(code('read_file', { path: '/a' }), { amendments: [wrong] })
    const own = card('Tool call: read_file')
    expect(own.getByText(/must be an integer/)).toBeTruthy()
    expect(own.getByText(/The results of this reply wait until you fix it/)).toBeTruthy()
    expect(own.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['Undo edit', 'Edit', 'Deny']),
    )
    expect(own.queryByRole('button', { name: 'Tell the model' })).toBeNull()
    expect(own.queryByRole('button', { name: /^Run/ })).toBeNull()
  })

  it('says so when the reply contains more calls than may run', () => {
    const text = `${code('read_file', { path: '/a' })}\n${code('read_file', { path: '/b' })}`
    const done = { status: 'completed', result: 'x', durationMs: 1, console: [], displays: [] } as const
    const rows = [record(0, { outcome: done, finishedAt: 2 })]
    const { container } = show(text, { records: rows, tools: { maxCallsPerReply: 1 } })
    expect(container.textContent).toContain('Not started: 1 call of this reply has run')
    cleanup()
    const left = record(1, { decision: 'skip', callHash: null, by: { kind: 'limit', maxCalls: 1 } })
    const after = show(text, { records: [...rows, left], tools: { maxCallsPerReply: 1 } })
    expect(after.container.textContent).toContain('This call did not run: this chat runs at most 1 call per reply.')
    expect(after.container.textContent).not.toContain('You skipped this')
  })
})

describe('a quoted call', () => {
  const text = `Like so:\n\n\`\`\`xml\n${code('read_file', { path: '/a' })}\n\`\`\`\n`
  const slot = promotedSlot(text.indexOf('<tool_code>'))

  it('becomes a call on a click, which runs nothing', async () => {
    const user = userEvent.setup()
    const { calls } = show(text)
    await user.click(screen.getByRole('button', { name: 'Treat as a call' }))
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', slot, null)
    expect(calls.run).not.toHaveBeenCalled()
  })

  it('then waits like any other, and can be undone', async () => {
    const user = userEvent.setup()
    const { calls } = show(`${text}\n${code('list_directory', { path: '/' })}`, { amendments: [amendment(null, slot)] })
    const { getByRole } = card('Tool call: read_file')
    await user.click(getByRole('button', { name: 'Run' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [slot], { stopAtFailure: false })
    await choose(user, screen.getByRole('group', { name: 'Tool call: read_file' }), 'Treat as text again')
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', slot, 'undo')
    await user.click(card('Tool call: list_directory').getByRole('button', { name: 'Run' }))
    expect(calls.run).toHaveBeenLastCalledWith('m1', [0], { stopAtFailure: false })
  })

  it('moves the focus to the card that replaces it', async () => {
    const user = userEvent.setup()
    const { calls, store } = show(text)
    calls.amend.mockImplementation((messageId) => {
      store.dispatch({
        type: 'amendments-changed',
        conversationId: 'c1',
        messageId,
        amendments: [amendment(null, slot)],
      })
      return Promise.resolve(null)
    })
    await user.click(screen.getByRole('button', { name: 'Treat as a call' }))
    const group = await screen.findByRole('group', { name: 'Tool call: read_file' })
    await waitFor(() => expect(document.activeElement).toBe(group))
    expect(within(group).getByText('You treat this as a call.')).toBeTruthy()
  })

  it('can’t be used from an earlier message', () => {
    show(text, { after: [said] })
    expect(screen.queryByRole('button', { name: 'Treat as a call' })).toBeNull()
  })
})

describe('a foreign call', () => {
  it('is used on a click', async () => {
    const user = userEvent.setup()
    const text = '<tool_call>{"name":"read_file","arguments":{"path":"/b"}}</tool_call>'
    const { calls } = show(text)
    await user.click(screen.getByRole('button', { name: 'Use this call' }))
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', promotedSlot(0), null)
    expect(screen.queryByRole('button', { name: 'Switch to this call format' })).toBeNull()
  })

  it.each([
    ['via Hermes', '<tool_call>{"name":"write_file","arguments":{"path":"/b","content":"x"}}</tool_call>'],
    ['via JSON_Strict', '{"tool_calls":[{"name":"write_file","arguments":{"path":"/b","content":"x"}}]}'],
  ])('shows the format in which it was written once it waits: %s', (via, text) => {
    show(text, { amendments: [amendment(null, promotedSlot(0))] })
    expect(card('Tool call: write_file').getByText(via)).toBeTruthy()
  })

  it('offers its strategy if it is one of ours', async () => {
    const user = userEvent.setup()
    const { updateSettings } = show('{"tool_calls":[{"name":"read_file","arguments":{"path":"/b"}}]}')
    await user.click(screen.getByRole('button', { name: 'Switch to this call format' }))
    expect(updateSettings).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ strategy: 'JSON_Strict', version: 4 }),
    )
  })
})

// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JsonValue } from '@/lib/base/json'
import type { UserMessage } from '@/lib/shared/conversation/conversation'
import type { CallRecord, ResultRelease } from '@/lib/shared/conversation/call-record'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { outcome, record, reply } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const text = '<tool_code>{"name":"read_file","arguments":{"path":"/data/customers.csv"}}</tool_code>'
const rows = ['id,email', ...Array.from({ length: 99 }, (_, n) => `${n + 1},ada${n + 1}@example.org`)].join('\n')

const show = (patch: Partial<CallRecord>, scene: Omit<Scene, 'message'> = {}) =>
  renderMessage({ ...scene, message: reply({ text }), records: [record(0, patch)] })

async function gate(
  result: JsonValue = { path: '/data/customers.csv', content: rows },
  scene: Omit<Scene, 'message'> = {},
) {
  const view = show({ gated: true, outcome: outcome({ result }) }, scene)
  const card = within(screen.getByRole('group', { name: 'Tool result: read_file' }))
  await card.findByRole('button', { name: 'Send result' })
  return { ...view, card, user: userEvent.setup() }
}

/** Selects text like a pointer. */
function select(words: string) {
  const region = screen.getByRole('group', { name: 'Result that is sent' })
  const piece = [...region.querySelectorAll('[data-at]')].find((one) => one.textContent.includes(words))
  const node = piece?.firstChild
  const at = piece?.textContent.indexOf(words) ?? 0
  if (!node) throw new Error(`no ${words}`)
  const range = document.createRange()
  range.setStart(node, at)
  range.setEnd(node, at + words.length)
  getSelection()?.removeAllRanges()
  getSelection()?.addRange(range)
  fireEvent.pointerUp(region)
}

describe('the result gate', () => {
  it('says how much waits, why, and what the model was sent of it', async () => {
    const { card } = await gate(undefined, { tools: { toolRules: { read_file: { result: 'always' } } } })
    expect(card.getByText('result needs review')).toBeTruthy()
    expect(card.getByText(/^Result: 2\.\d KB, about \d+ tokens\. The model has not seen any of it\.$/)).toBeTruthy()
    expect(card.getByText('you chose to review every result of read_file')).toBeTruthy()
    expect(card.getByText('done in 12 ms')).toBeTruthy()
    expect(card.getByText('100').dataset['number']).toBe('')
  })

  it('says what was sent with a message of the same file', async () => {
    const attachment = { path: '/data/customers.csv', mediaType: 'text/csv', size: 3_000, head: rows.slice(0, 200) }
    const before: UserMessage = {
      id: 'u1',
      conversationId: 'c1',
      parentId: null,
      createdAt: 1,
      role: 'user',
      text: 'Look',
      results: [],
      attachments: [{ ...attachment, isImage: false }],
    }
    const { card } = await gate(undefined, { before: [before] })
    const words = card.getByText(/This result was not sent to the model\./).textContent
    expect(words).toContain('The model has seen the first 200 bytes of /data/customers.csv in a message.')
    expect(words).toMatch(/The model has seen (?:at least )?\d+ of its 100 lines in this chat\.$/)
  })

  it('sends it whole, with a note', async () => {
    const { card, user, calls } = await gate()
    await user.type(card.getByRole('textbox', { name: 'Note to the model' }), ' Ask me for more. ')
    await user.click(card.getByRole('button', { name: 'Send result' }))
    expect(calls.release).toHaveBeenCalledExactlyOnceWith('m1', 0, { kind: 'sent', note: 'Ask me for more.' })
  })

  it('withholds it', async () => {
    const { card, user, calls } = await gate()
    await user.click(card.getByRole('button', { name: 'Don’t send' }))
    expect(calls.release).toHaveBeenCalledExactlyOnceWith('m1', 0, { kind: 'withheld', note: '' })
  })

  it('trims: keeps head and tail, and shows and sends how much is left out', async () => {
    const { card, user, calls } = await gate()
    await user.click(card.getByRole('radio', { name: 'Shorten' }))
    expect(card.getByText('75 lines left out')).toBeTruthy()
    expect(card.getByRole('status').textContent).toMatch(/^about \d+ tokens · shortened$/)
    await user.click(card.getByRole('button', { name: 'Send result' }))
    const release = calls.release.mock.calls[0]?.[2]
    expect(release).toMatchObject({ kind: 'changed', changes: ['trimmed'] })
    expect(JSON.stringify(release)).toContain('… 75 lines left out …')
    expect(JSON.stringify(release)).not.toContain('ada50@')
  })

  it('redacts a selection: a black mark here, “[redacted]” for the model; Undo restores it', async () => {
    const { card, user, calls } = await gate()
    expect(card.getByRole<HTMLButtonElement>('button', { name: 'Redact selection' }).disabled).toBe(true)
    select('ada2@example.org')
    await user.click(card.getByRole('button', { name: 'Redact selection' }))
    select('ada7@example.org')
    await user.click(card.getByRole('button', { name: 'Redact selection' }))
    expect(card.getAllByText('redacted').every((mark) => mark.dataset['redacted'] === '')).toBe(true)
    expect(card.getByRole('status').textContent).toContain('2 redacted')
    await user.click(card.getByRole('button', { name: 'Undo' }))
    expect(card.getByText('redacted').dataset['redacted']).toBe('')
    await user.click(card.getByRole('button', { name: 'Send result' }))
    const sent = JSON.stringify(calls.release.mock.calls[0]?.[2])
    expect(sent).toContain('2,[redacted]')
    expect(sent).not.toContain('ada2@example.org')
    expect(sent).toContain('ada7@example.org')
    expect(card.getByText('The model learns that you changed this result, but not what you removed.')).toBeTruthy()
  })

  it('sends a selection only, and asks for one if there is none', async () => {
    const { card, user, calls } = await gate()
    await user.click(card.getByRole('radio', { name: 'Selection' }))
    expect(card.getByRole('alert').textContent).toContain('Select the part')
    select('3,ada3@example.org')
    await user.click(card.getByRole('radio', { name: 'Selection' }))
    await user.click(card.getByRole('button', { name: 'Send result' }))
    expect(calls.release).toHaveBeenCalledExactlyOnceWith('m1', 0, {
      kind: 'changed',
      result: { path: '/data/customers.csv', content: '3,ada3@example.org' },
      changes: ['trimmed'],
      note: '',
    })
  })

  it('edits the text; typed text counts even without Done', async () => {
    const { card, user, calls } = await gate()
    await user.click(card.getByRole('button', { name: 'Edit' }))
    fireEvent.change(card.getByRole('textbox', { name: 'Result' }), { target: { value: 'Two rows.' } })
    await user.click(card.getByRole('button', { name: 'Send result' }))
    expect(calls.release.mock.calls[0]?.[2]).toMatchObject({
      kind: 'changed',
      result: { content: 'Two rows.' },
      changes: ['edited'],
    })
  })

  it('keeps JSON as JSON', async () => {
    const { card, user, calls } = await gate({ name: 'Ada', age: 36 })
    await user.click(card.getByRole('button', { name: 'Edit' }))
    fireEvent.change(card.getByRole('textbox', { name: 'Result' }), { target: { value: '{"name":"A.","age":36}' } })
    await user.click(card.getByRole('button', { name: 'Done' }))
    await user.click(card.getByRole('button', { name: 'Send result' }))
    expect(calls.release.mock.calls[0]?.[2]).toMatchObject({ result: { name: 'A.', age: 36 }, changes: ['edited'] })
  })

  it('is replaced by a reference to a file with the whole text, without redacted parts', async () => {
    const vfs = createMemoryVfs()
    const runtime = { vfs } as unknown as ToolRuntime
    await vfs.write('/.nod/results/6.txt', new TextEncoder().encode('older'))
    const { card, user, calls } = await gate(undefined, { runtime: () => Promise.resolve(runtime) })
    select('ada2@example.org')
    await user.click(card.getByRole('button', { name: 'Redact selection' }))
    await user.click(card.getByRole('button', { name: 'Send as file path' }))
    expect(await card.findByText('/.nod/results/7.txt')).toBeTruthy()
    const file = await vfs.read('/.nod/results/7.txt')
    const kept = new TextDecoder().decode(file.ok ? file.value : undefined)
    expect(kept).toContain('ada99@example.org')
    expect(kept).not.toContain('ada2@example.org')
    await user.click(card.getByRole('button', { name: 'Send result' }))
    expect(calls.release.mock.calls[0]?.[2]).toMatchObject({
      kind: 'changed',
      result: { path: '/.nod/results/7.txt', lines: 100 },
      changes: ['redacted', 'file-reference'],
    })
  })

  it('says that the files can’t be reached, and stays', async () => {
    const { card, user } = await gate()
    await user.click(card.getByRole('button', { name: 'Send as file path' }))
    expect((await card.findByRole('alert')).textContent).toContain('could not be saved as a file')
    expect(card.getByRole('button', { name: 'Send result' })).toBeTruthy()
  })

  it('handles its keys on the card, but not while typing', async () => {
    const { card, user, calls } = await gate()
    await user.type(card.getByRole('textbox', { name: 'Note to the model' }), 'x{Control>}{Enter}{Backspace}{/Control}')
    expect(calls.release).not.toHaveBeenCalled()
    act(() => screen.getByRole('group', { name: 'Tool result: read_file' }).focus())
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(calls.release).toHaveBeenCalledTimes(1))
    await user.keyboard('{Meta>}{Backspace}{/Meta}')
    await waitFor(() => expect(calls.release).toHaveBeenCalledTimes(2))
    expect(calls.release.mock.calls.map(([, , { kind }]) => kind)).toEqual(['sent', 'withheld'])
  })

  it('shows the server’s error if the release could not be stored', async () => {
    const { card, user, calls } = await gate()
    calls.release.mockResolvedValue('The results were sent already.')
    await user.click(card.getByRole('button', { name: 'Send result' }))
    expect((await card.findByRole('alert')).textContent).toBe('The results were sent already.')
  })
})

describe('a result after the gate', () => {
  const posted: UserMessage = {
    id: 'u2',
    conversationId: 'c1',
    parentId: 'm1',
    createdAt: 3,
    role: 'user',
    text: '',
    results: [],
  }
  const release: ResultRelease = {
    kind: 'changed',
    by: { kind: 'click' },
    result: { path: '/a.md', content: 'h[redacted]' },
    changes: ['redacted'],
    note: 'Names are out.',
    releasedAt: 5,
  }

  it('that was edited says so and shows both', async () => {
    const user = userEvent.setup()
    show({ gated: true, outcome: outcome(), release, postedIn: 'u2' }, { after: [posted] })
    const card = within(screen.getByRole('group', { name: 'Tool result: read_file' }))
    await user.click(card.getByRole('button', { name: /read_file/ }))
    expect(card.getByText(/You changed this result: redacted\. The model knows/)).toBeTruthy()
    expect(card.getByText('Your note to the model: “Names are out.”')).toBeTruthy()
    expect(card.getByRole('group', { name: 'Result' }).textContent).toContain('h[redacted]')
    await user.click(card.getByRole('button', { name: 'Details' }))
    await user.click(card.getByRole('tab', { name: 'Result' }))
    expect(card.getAllByRole('group', { name: 'Result' }).at(-1)?.textContent).toContain('hello')
  })

  it('that was withheld can be sent after all until it is posted', async () => {
    const user = userEvent.setup()
    const withheld: ResultRelease = { kind: 'withheld', by: { kind: 'click' }, note: '', releasedAt: 5 }
    const { calls, unmount } = show({ gated: true, outcome: outcome(), release: withheld })
    await user.click(screen.getByRole('button', { name: 'Send anyway' }))
    expect(calls.release).toHaveBeenCalledExactlyOnceWith('m1', 0, { kind: 'sent', note: '' })
    unmount()
    show({ gated: true, outcome: outcome(), release: withheld, postedIn: 'u2' }, { after: [posted] })
    expect(screen.getByText('It ran. You did not send the result. The model knows about this.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Send anyway' })).toBeNull()
  })
})

// @vitest-environment jsdom
import type * as builder from '@/lib/protocols/tool-context-builder'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Segment } from '@/lib/protocols/types/segment'
import { questionDraft, createDrafts } from '@/lib/client/outbox/drafts'
import { emptyAnswer } from '@/lib/shared/tools/ask-user/answer'
import { callPiece, outcome, record, reply, textOf } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'
import { storeAnswer, storedAnswer } from './use-answer-draft'

const segmentsOf = new Map<string, readonly Segment[]>()
vi.mock('@/lib/protocols/tool-context-builder', async (importOriginal) => {
  const actual = await importOriginal<typeof builder>()
  const parseResponse = (_: unknown, text: string) => ({ type: 'mixed', segments: segmentsOf.get(text) ?? [] })
  return { ...actual, toolContextBuilder: { ...actual.toolContextBuilder, parseResponse } }
})
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

function show(pieces: Parameters<typeof textOf>[0], scene: Omit<Scene, 'message'> = {}) {
  const { text, segments } = textOf(pieces)
  const message = reply({ text })
  segmentsOf.set(text, segments)
  return renderMessage({ ...scene, message })
}

const trip = {
  question: 'Where to?',
  choices: ['To the sea', 'Into a city'],
  other: true,
  fields: [
    { name: 'Nights', type: 'number' },
    { name: 'With children', type: 'yes_no' },
  ],
}
const card = () => screen.getByRole('group', { name: 'Tool call: ask_user' })
const form = async () => within(await screen.findByRole('group', { name: 'Where to?' }))

describe('the card of a call that asks', () => {
  it('is the form, and a complete answer runs it with the input', async () => {
    const user = userEvent.setup()
    const { calls } = show([callPiece('ask_user', trip)])
    const fields = await form()
    expect(within(card()).queryByRole('button', { name: 'Run' })).toBeNull()
    await user.click(fields.getByRole('radio', { name: 'Into a city' }))
    await user.type(fields.getByRole('textbox', { name: 'Nights' }), '2')
    await user.click(fields.getByRole('radio', { name: 'no' }))
    await user.click(within(card()).getByRole('button', { name: 'Answer' }))
    await waitFor(() => expect(calls.run).toHaveBeenCalledOnce())
    const answer = { chosen: ['Into a city'], writes: false, text: '', values: ['2', 'no'] }
    expect(calls.run).toHaveBeenCalledWith('m1', [0], { stopAtFailure: false, answers: new Map([[0, answer]]) })
  })

  it('numbers choices that look the same, and marks their differences', async () => {
    show([
      callPiece('ask_user', {
        question: 'Where to?',
        choices: ['Delete nothing', 'Delete nothing ', 'Delete n\u043ething', 'Stop'],
      }),
    ])
    const fields = await form()
    expect(fields.getByRole('note').textContent).toBe(
      'Some choices look the same but differ. They are numbered, and the differences are marked.',
    )
    expect(fields.getAllByRole('radio').map((one) => one.closest('label')?.textContent)).toEqual([
      '1. Delete nothing',
      '2. Delete nothing⟨blank⟩',
      '3. Delete n\u043e⟨U+043E⟩thing',
      'Stop',
    ])
  })

  it('does not submit before it is complete, says what is missing, and focuses it', async () => {
    const user = userEvent.setup()
    const { calls } = show([callPiece('ask_user', trip)])
    const fields = await form()
    await user.click(fields.getByRole('radio', { name: 'Something else' }))
    await user.type(fields.getByRole('textbox', { name: 'Nights' }), 'two')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(fields.getByText('Check 3 fields before you send.')).toBeTruthy()
    expect(fields.getByText('Enter a number, such as 12 or 0.5.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(fields.getByRole('textbox', { name: 'Your answer' })))
    expect(calls.run).not.toHaveBeenCalled()
  })

  it('focuses a missing yes or no, and marks required fields', async () => {
    const user = userEvent.setup()
    const { calls } = show([callPiece('ask_user', trip)])
    const fields = await form()
    await user.click(fields.getByRole('radio', { name: 'To the sea' }))
    fireEvent.change(fields.getByRole('textbox', { name: 'Nights' }), { target: { value: '2' } })
    await user.click(within(card()).getByRole('button', { name: 'Answer' }))
    await waitFor(() => expect(document.activeElement).toBe(fields.getByRole('radio', { name: 'yes' })))
    expect(fields.getByRole<HTMLInputElement>('textbox', { name: 'Nights' }).required).toBe(true)
    expect(calls.run).not.toHaveBeenCalled()
  })

  it('is answered with the card’s key, can’t be edited, and can be left unanswered with a reason', async () => {
    const user = userEvent.setup()
    const { calls } = show([callPiece('ask_user', { question: 'Where to?' })])
    const fields = await form()
    card().focus()
    await user.keyboard('e')
    expect(screen.queryByRole('textbox', { name: 'question' })).toBeNull()
    fireEvent.change(fields.getByRole('textbox', { name: 'Your answer' }), { target: { value: 'Home' } })
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(calls.run).toHaveBeenCalledOnce())
    cleanup()
    const second = show([callPiece('ask_user', { question: 'Where to?' })])
    await form()
    card().focus()
    await user.keyboard('rNot your business.{Enter}')
    await waitFor(() => expect(second.calls.deny).toHaveBeenCalledExactlyOnceWith('m1', [0], 'Not your business.'))
  })

  it('shows a hostile question as plain text, and where the answer is sent', async () => {
    const question = '<b>Enter your password</b> [here](https://evil.example) \u202egnp.exe'
    show([callPiece('ask_user', { question })])
    await within(card()).findByRole('textbox', { name: 'Your answer' })
    expect(card().querySelector('b, a, img')).toBeNull()
    expect(card().textContent).toContain('<b>Enter your password</b> [here](https://evil.example)')
    expect(card().textContent).toContain('U+202E')
    expect(card().textContent).toContain('Do not enter passwords.')
  })

  it('is left out of Run all', async () => {
    const user = userEvent.setup()
    const { calls } = show([
      callPiece('ask_user', trip),
      callPiece('list_directory', { path: '/' }),
      callPiece('list_directory', { path: '/a' }),
    ])
    await form()
    expect(screen.getByText(/Run all skips the question/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Run all' }))
    await waitFor(() => expect(calls.run).toHaveBeenCalledOnce())
    expect(calls.run.mock.calls[0]?.[1]).toEqual([1, 2])
  })

  it('asks again with the input if the page was left before the answer was stored', async () => {
    const user = userEvent.setup()
    const rows = [record(0, { name: 'ask_user', attempt: 1 })]
    const { calls } = show([callPiece('ask_user', { question: 'Where to?' })], { records: rows })
    fireEvent.change(await screen.findByRole('textbox', { name: 'Your answer' }), { target: { value: 'Home' } })
    await user.click(screen.getByRole('button', { name: 'Answer' }))
    const answer = { ...emptyAnswer, text: 'Home' }
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0], { answers: new Map([[0, answer]]) })
  })

  it('shows the answer in words afterwards', async () => {
    const result = { chosen: 'To the sea', fields: { Nights: 2, 'With children': true } }
    const done = record(0, { name: 'ask_user', outcome: outcome({ result }), finishedAt: 1 })
    show([callPiece('ask_user', trip)], { records: [done] })
    const answered = screen.getByRole('group', { name: 'Tool result: ask_user' })
    expect(await within(answered).findByText('You chose')).toBeTruthy()
    expect(within(answered).getByText('To the sea')).toBeTruthy()
    expect(within(answered).getByText('yes')).toBeTruthy()
    expect(answered.textContent).toContain('answered')
  })
})

describe('unsent input', () => {
  const keeper = () => {
    const stored = new Map<string, string>()
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => void stored.set(key, text),
      removeItem: (key: string) => void stored.delete(key),
    }
    return { stored, open: () => createDrafts({ storage, schedule: () => () => {} }) }
  }
  const place = (slot: number) => ({ conversationId: 'c1', messageId: 'm1', slot })

  it('survives a reload, for each question, until it is answered', () => {
    const { stored, open } = keeper()
    const drafts = open()
    storeAnswer(drafts, place(0), { ...emptyAnswer, text: 'half' })
    storeAnswer(drafts, place(1), { ...emptyAnswer, chosen: ['Tea'] })
    drafts.flush()
    const later = open()
    expect(storedAnswer(later, place(0)).text).toBe('half')
    storeAnswer(later, place(0), emptyAnswer)
    expect(storedAnswer(later, place(1)).chosen).toEqual(['Tea'])
    storeAnswer(later, place(1), emptyAnswer)
    later.flush()
    expect([...stored.keys()].filter((key) => key.includes(questionDraft('c1')))).toEqual([])
  })

  it('is empty if something else is stored under its key', () => {
    const { open } = keeper()
    const drafts = open()
    for (const text of ['', '{', '[]', '{"m1:0":1}', 'null']) {
      drafts.put(questionDraft('c1'), text)
      expect(storedAnswer(drafts, place(0))).toEqual(emptyAnswer)
    }
  })
})

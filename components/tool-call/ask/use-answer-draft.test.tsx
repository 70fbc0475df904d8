// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { emptyAnswer } from '@/lib/shared/tools/ask-user/answer'
import { DraftsProvider } from '@/components/context/chat-context'
import type { Drafts } from '@/lib/client/outbox/drafts'
import { readServerQuestion } from '@/lib/shared/mcp/server-question'
import { useAnswerDraft, useQuestionDraft } from './use-answer-draft'

afterEach(cleanup)

function Form({ name, slot }: { name: string; slot: number }) {
  const [draft, setDraft] = useAnswerDraft({ conversationId: 'c1', messageId: 'm1', slot })
  return (
    <input
      aria-label={name}
      value={draft.text}
      onChange={(event) => setDraft({ ...emptyAnswer, text: event.target.value })}
    />
  )
}

it('is shared between the card and the dialog over it', () => {
  render(
    <>
      <Form name="card" slot={0} />
      <Form name="dialog" slot={0} />
      <Form name="another question" slot={1} />
    </>,
  )
  const valueOf = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value
  fireEvent.change(screen.getByRole('textbox', { name: 'dialog' }), { target: { value: 'half' } })
  expect(valueOf('card')).toBe('half')
  fireEvent.change(screen.getByRole('textbox', { name: 'card' }), { target: { value: 'half of it' } })
  expect(valueOf('dialog')).toBe('half of it')
  expect(valueOf('another question')).toBe('')
})

/** A server's form as its card renders it. */
function ServerForm({ message = 'How many?', name = 'copies' }: { message?: string; name?: string }) {
  const question = readServerQuestion(
    { message, requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } } } },
    'maps.example',
  )
  if (question.kind !== 'form') throw new Error(question.kind)
  const [values, setValues] = useQuestionDraft({ conversationId: 'c1', messageId: 'm1', slot: 0 }, question)
  return (
    <>
      <input aria-label="form" value={values[0]?.[0] ?? ''} onChange={({ target }) => setValues([[target.value]])} />
      <button onClick={() => setValues(null)}>send</button>
    </>
  )
}

it('keeps the input of a server’s form until it is sent, for that question only', () => {
  const kept = new Map<string, string>()
  const drafts = {
    get: (id: string) => kept.get(id) ?? '',
    set: (id: string, text: string) => void kept.set(id, text),
    remove: (id: string) => void kept.delete(id),
  } as unknown as Drafts
  const draw = (form: React.ReactNode) => {
    cleanup()
    render(<DraftsProvider value={drafts}>{form}</DraftsProvider>)
    return screen.getByRole<HTMLInputElement>('textbox', { name: 'form' })
  }
  fireEvent.change(draw(<ServerForm />), { target: { value: 'three' } })
  expect(draw(<ServerForm message="How many more?" />).value).toBe('')
  expect(draw(<ServerForm name="pages" />).value).toBe('')
  expect(draw(<ServerForm />).value).toBe('three')
  fireEvent.click(screen.getByRole('button', { name: 'send' }))
  expect(draw(<ServerForm />).value).toBe('')
  expect(kept.size).toBe(0)
})

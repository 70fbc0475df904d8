// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { emptyAnswer } from '@/lib/shared/tools/ask-user/answer'
import { useAnswerDraft } from './use-answer-draft'

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

it('stands in the card as it was filled in in the dialog over it, and the other way round', () => {
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

// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { CallActions } from '@/lib/client/chats/actions'
import type { CallState } from '@/lib/shared/calls/call-state'
import { callDecision, type AnswerCall, type CallDecision, type CallScope, type CardPanel } from './call-scope'
import { useCallFocus, useCallKeys } from '../card/use-call-keys'

/* Behavior without appearance: a bare element and no card. */

afterEach(cleanup)

const idle = (): CallDecision => ({
  run: vi.fn<CallDecision['run']>(),
  answer: vi.fn<CallDecision['answer']>(),
  answerAgain: vi.fn<CallDecision['answerAgain']>(),
  deny: vi.fn<CallDecision['deny']>(),
  explain: vi.fn<CallDecision['explain']>(),
  holdForReason: vi.fn<CallDecision['holdForReason']>(),
  stop: vi.fn<CallDecision['stop']>(),
  runAgain: vi.fn<CallDecision['runAgain']>(),
  tell: vi.fn<CallDecision['tell']>(),
  answerReview: vi.fn<CallDecision['answerReview']>(),
  showPictures: vi.fn<CallDecision['showPictures']>(),
  answerQuestion: vi.fn<CallDecision['answerQuestion']>(),
  look: vi.fn<CallDecision['look']>(),
  amend: vi.fn<CallDecision['amend']>(),
  release: vi.fn<CallDecision['release']>(),
  sendAfterAll: vi.fn<CallDecision['sendAfterAll']>(),
  remember: vi.fn<CallDecision['remember']>(),
})

const ignore = () => {}

function Bare({
  state,
  decide,
  passes = true,
  alone = false,
  setPanel = ignore,
  move = ignore,
}: {
  state: CallState
  decide: CallDecision
  passes?: boolean
  alone?: boolean
  setPanel?: (panel: CardPanel) => void
  move?: (step: -1 | 1) => void
}) {
  const look = { passes: () => passes, isFolded: () => false, open: () => {} }
  const scope = {
    entry: { state },
    decide,
    setPanel,
    rights: { deny: false, edit: false },
    refs: { card: { current: null }, gate: { current: null }, look: { current: look }, submit: { current: null } },
  } as unknown as CallScope
  const onKeyDown = useCallKeys(scope, alone ? null : { fold: null, move })
  return (
    <div role="group" aria-label="call" tabIndex={0} {...{ onKeyDown }}>
      <input aria-label="field" />
    </div>
  )
}

const group = () => screen.getByRole('group', { name: 'call' })
const waiting: CallState = { status: 'awaiting_approval' }

it('runs by a key only what was fully in view', () => {
  const decide = idle()
  const { rerender } = render(<Bare state={waiting} decide={decide} passes={false} />)
  fireEvent.keyDown(group(), { key: 'Enter', ctrlKey: true })
  expect(decide.run).not.toHaveBeenCalled()
  rerender(<Bare state={waiting} decide={decide} />)
  fireEvent.keyDown(group(), { key: 'Enter', ctrlKey: true })
  expect(decide.run).toHaveBeenCalledOnce()
})

it('ignores keys typed in a field', () => {
  const decide = idle()
  render(<Bare state={waiting} decide={decide} />)
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'field' }), { key: 'Backspace', ctrlKey: true })
  expect(decide.deny).not.toHaveBeenCalled()
})

it('accepts a held key in a thread, but not in a question dialog', () => {
  const [inThread, alone] = [idle(), idle()]
  const { rerender } = render(<Bare state={waiting} decide={inThread} />)
  fireEvent.keyDown(group(), { key: 'Backspace', ctrlKey: true, repeat: true })
  rerender(<Bare state={waiting} decide={alone} alone />)
  fireEvent.keyDown(group(), { key: 'Backspace', ctrlKey: true, repeat: true })
  expect(inThread.deny).toHaveBeenCalledExactlyOnceWith('')
  expect(alone.deny).not.toHaveBeenCalled()
  fireEvent.keyDown(group(), { key: 'Backspace', ctrlKey: true })
  expect(alone.deny).toHaveBeenCalledOnce()
})

it('moves in the batch, and opens the panels', () => {
  const [setPanel, move] = [vi.fn<(panel: CardPanel) => void>(), vi.fn<(step: -1 | 1) => void>()]
  render(<Bare state={waiting} decide={idle()} setPanel={setPanel} move={move} />)
  fireEvent.keyDown(group(), { key: 'ArrowUp', altKey: true })
  fireEvent.keyDown(group(), { key: 'e' })
  expect([move.mock.calls, setPanel.mock.calls]).toEqual([[[-1]], [['edit']]])
})

it('moves the focus to the card only just before the pressed button disappears', () => {
  const done: string[] = []
  const actions = { stop: () => done.push('stop') } as unknown as CallActions
  const answer: AnswerCall = (_, { kind }) => Promise.resolve(String(done.push(kind)))
  const decide = callDecision(actions, answer, { messageId: 'm1', slot: 0 }, () => done.push('focus'))
  decide.run()
  decide.deny('')
  decide.stop()
  expect(done).toEqual(['focus', 'run', 'focus', 'deny', 'stop'])
})

it('takes the focus of the card that it replaces, and reports focus entering and leaving', () => {
  const inside = vi.fn<(kind: 'focus' | 'hover', here: boolean) => void>()
  function Focused() {
    const { card, listeners } = useCallFocus(true, inside)
    return (
      <div ref={card} role="group" aria-label="call" tabIndex={0} {...listeners}>
        <button type="button">In it</button>
      </div>
    )
  }
  render(
    <>
      <Focused />
      <button type="button">Outside</button>
    </>,
  )
  expect(document.activeElement).toBe(group())
  screen.getByRole('button', { name: 'In it' }).focus()
  expect(inside.mock.calls.filter(([, here]) => !here)).toEqual([])
  screen.getByRole('button', { name: 'Outside' }).focus()
  expect(inside).toHaveBeenLastCalledWith('focus', false)
})

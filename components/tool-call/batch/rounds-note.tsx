'use client'

import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { roundsKey } from '@/lib/client/calls/approval/inline-approval'
import type { MessageCallsView } from '../scope/use-message-calls'
import { note } from '@/components/ui/recipes/surface'
import { wallClock } from '@/lib/base/clocks'
import { useEffect, useState } from 'react'
import { useConversation, useAnswer, useCallActions } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { roundsInQuestion } from '@/lib/shared/calls/click-reasons'
import { autoRunReason } from '@/lib/client/calls/runs-alone'
import { type CallEntry, isCancelled } from '../scope/call-scope'
import { footButton } from '../styles/card'
import { batchBar, batchLead, batchMore } from './batch-bar'

/** The limit of rounds holds calls that would have run automatically. */
interface HeldRounds {
  /** Rounds of results since the user's last message. */
  readonly rounds: number
  /** The held calls; others of the reply need a click anyway. */
  readonly held: readonly CallEntry[]
}

/**
 * Whether the limit of rounds holds calls of the last reply that rules or remembered answers would have run. Derived
 * from stored data only, so that a reload and another tab agree. Null if it does not. `waiting`: empty for any other
 * reply.
 */
function useHeldRounds(message: AssistantMessage, waiting: readonly CallEntry[]): HeldRounds | null {
  const view = useConversation((shown) => (waiting.length > 0 ? shown : null))
  const config = view?.conversation?.settings.tools
  const rounds = view && config ? roundsInQuestion(view.path, config) : 0
  const tools = useTools()
  const [alone, setAlone] = useState<readonly number[]>([])
  useEffect(() => {
    if (!view || !config || rounds === 0) return
    let isCurrent = true
    const repeats = (slot: number) => waiting.find((entry) => entry.slot === slot)?.repeats ?? 1
    const marks = async () => new Map(waiting.flatMap(({ slot, origin }) => (origin ? [[slot, origin]] : [])))
    const facts = { view, config, reply: message, toolOf: tools.get, now: wallClock(), repeats, marks }
    const look = async () => {
      const found = await Promise.all(
        waiting.map(async (entry) => ((await autoRunReason(entry, facts)) ? [entry.slot] : [])),
      )
      const slots = found.flat()
      if (isCurrent) setAlone((known) => (known.join() === slots.join() ? known : slots))
    }
    void look()
    return () => {
      isCurrent = false
    }
  }, [view, config, rounds, message, waiting, tools])
  const held = waiting.filter(({ slot }) => alone.includes(slot))
  return rounds > 0 && held.length > 0 ? { rounds, held } : null
}

/** Calls would have run automatically, but there were too many rounds: asks as for a manual call. */
export function RoundsNote({ message, view }: { message: AssistantMessage; view: MessageCallsView }) {
  const answer = useAnswer()
  const held = useHeldRounds(message, view.canAsk ? view.waiting : none)
  if (!held) return null
  const slots = held.held.map(({ slot }) => slot)
  return (
    <div className={note({}, 'narrow:flex-wrap')} role="status">
      <Icon name="info" />
      <span>{t('batch.said', { said: [t('rounds.question', { rounds: held.rounds }), heldCallsText(held)] })}</span>
      <Button
        className="ms-auto"
        onClick={() => void answer('rounds', [roundsKey(message.id)], { kind: 'continue', slots })}
      >
        {t('batch.continue')}
      </Button>
    </div>
  )
}

const none: MessageCallsView['waiting'] = []

function heldCallsText({ held }: HeldRounds): string {
  const tools = [...new Set(held.map(({ call }) => visibleText(call.name, 'name')))]
  return t('batch.held', { count: held.length, tools })
}

/** The stopped and cancelled calls of a reply that nobody has settled. */
export const stoppedOf = (entries: readonly CallEntry[]): readonly CallEntry[] =>
  entries.filter(({ state }) => state.status === 'cancelled' && !state.settled && !state.posted)

/** Settles all calls that were cancelled after a stopped one; each card keeps its own buttons. */
export function CancelledBar({ messageId, stopped }: { messageId: string; stopped: readonly CallEntry[] }) {
  const actions = useCallActions()
  const cancelled = stopped.filter(isCancelled)
  const words = t('batch.cancelled', { count: cancelled.length })
  const slotsOf = (entries: readonly CallEntry[]) => entries.map(({ slot }) => slot)
  return (
    <div data-batch="" className={batchBar} role="group" aria-label={words}>
      <strong className={batchLead({ tone: 'plain' })}>
        <Icon name="no" />
        {words}
      </strong>
      <Button className={footButton} onClick={() => actions.runAgain(messageId, ...slotsOf(cancelled))}>
        {t('batch.run-after-all')}
      </Button>
      <Button className={footButton} onClick={() => actions.notifyModel(messageId, ...slotsOf(stopped))}>
        {t('batch.send-done')}
      </Button>
      <div className={batchMore}>
        <span>{t('batch.cancelled-why')}</span>
      </div>
    </div>
  )
}

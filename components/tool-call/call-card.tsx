'use client'

import { useMemo, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { useCallActions } from '@/components/chat/chat-context'
import { Elapsed } from '@/components/ui/elapsed'
import { Findable } from '@/components/ui/findable'
import { formatBytes } from '@/lib/base/format-bytes'
import { formatDuration } from '@/lib/base/format-duration'
import { toolRegistry } from '@/lib/tools/registry'
import { CallBody } from './call-body'
import { cardKey, focusNeighbour, whereIn } from './card-keys'
import { CardHead } from './card-head'
import { cardStatus, isOutcome, type CardStatus } from './card-status'
import { resultBytes } from './result-view'
import { problemWords } from './tool-words'
import type { CallEntry } from './use-message-calls'
import { useFold } from './use-fold'

/** Larger results are only laid out once somebody opens them. */
const findableBytes = 16_384

export interface CallCardProps {
  readonly conversationId: string
  readonly messageId: string
  readonly strategy: string
  readonly timeoutMs: number
  readonly entry: CallEntry
  readonly raw: string
  readonly current: boolean
  /** Offered when no other call of the reply is open: settles what can't run. */
  readonly canTell: boolean
  readonly onAttention: (kind: 'focus' | 'hover', here: boolean) => void
}

/** One live call in all its states. The element stays the same through them, so that the focus stays in the card. */
export function CallCard(props: CallCardProps) {
  const { messageId, entry, onAttention } = props
  const { slot, call, state, problem } = entry
  const actions = useCallActions()
  const card = useRef<HTMLDivElement>(null)
  const [reasonOpen, setReasonOpen] = useState(false)
  const fold = useFold(state)
  const tool = toolRegistry.get(call.name)
  const waiting = state.status === 'awaiting_approval'
  const summary = useMemo(() => tool?.summarize(call.arguments) ?? null, [tool, call])
  const findable = state.status === 'completed' && resultBytes(state.outcome) <= findableBytes && !problem
  const noun = isOutcome(state) ? 'Tool result' : 'Tool call'

  /** The button that was pressed goes away with the state; the focus stays with the card instead of getting lost. */
  const keepFocus = () => card.current?.focus({ preventScroll: true })
  const run = () => {
    keepFocus()
    actions.run(messageId, [slot])
  }
  const deny = (reason: string) => {
    keepFocus()
    setReasonOpen(false)
    actions.deny(messageId, [slot], reason)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const key = cardKey({ ...pressOf(event) }, whereIn(event.currentTarget, event.target))
    if (key === null) return
    if (key === 'previous' || key === 'next') {
      if (focusNeighbour(event.currentTarget, key)) event.preventDefault()
      return
    }
    if (key === 'fold') return fold.foldable ? fold.toggle() : undefined
    if (!waiting) return
    event.preventDefault()
    if (key === 'run') run()
    else if (key === 'deny') deny('')
    else setReasonOpen(true)
  }

  const inside = (kind: 'focus' | 'hover', here: boolean) => {
    onAttention(kind, here)
    fold.setInside(kind, here)
  }
  const listeners = {
    onKeyDown,
    onFocus: () => inside('focus', true),
    onBlur: (event: FocusEvent<HTMLDivElement>) => {
      if (!event.currentTarget.contains(event.relatedTarget)) inside('focus', false)
    },
    onPointerEnter: () => inside('hover', true),
    onPointerLeave: () => inside('hover', false),
  }

  return (
    <div
      ref={card}
      className={cardClass(props)}
      role="group"
      aria-label={`${noun}: ${call.name}`}
      data-call-card={waiting ? 'waiting' : state.status}
      tabIndex={0}
      {...listeners}
    >
      <CardHead
        call={call}
        tool={tool}
        summary={waiting ? null : summary}
        status={statusOf(entry)}
        figures={<Figures entry={entry} />}
        {...(fold.foldable ? { fold } : {})}
      />
      {fold.open || findable ? (
        <Findable open={fold.open} onFound={fold.unfold}>
          <CallBody
            {...props}
            card={card}
            tool={tool}
            summary={summary}
            reasonOpen={reasonOpen}
            onReason={(open) => {
              setReasonOpen(open)
              if (!open) keepFocus()
            }}
            onRun={run}
            onDeny={deny}
          />
        </Findable>
      ) : null}
      {!fold.open && problem ? <p className="card-say trouble card-pad">{problem}</p> : null}
    </div>
  )
}

function cardClass({ entry, current }: CallCardProps): string {
  switch (entry.state.status) {
    case 'awaiting_approval':
      return `card waiting${current ? ' current' : ''}`
    case 'pending':
    case 'not_offered':
      return 'card grey'
    default:
      return 'card'
  }
}

function statusOf({ call, state }: CallEntry): CardStatus {
  const status = cardStatus[state.status]
  if (state.status !== 'not_runnable' || !call.problem) return status
  return { ...status, word: problemWords(call, call.problem).status }
}

/** How long it took, and how much came back; goes on after the status word. */
function Figures({ entry: { state } }: { entry: CallEntry }) {
  switch (state.status) {
    case 'executing':
      return (
        <>
          {' · '}
          <Elapsed startedAt={state.startedAt} />
        </>
      )
    case 'completed':
      return (
        <>
          <Took ms={state.outcome.durationMs} />
          {` · ${formatBytes(resultBytes(state.outcome))}`}
        </>
      )
    case 'error':
    case 'cancelled':
      return <Took ms={state.outcome.durationMs} />
    default:
      return null
  }
}

const Took = ({ ms }: { ms: number | null }) =>
  ms === null ? null : <span className="hide-s">{` · ${formatDuration(ms)}`}</span>

const pressOf = (event: KeyboardEvent) => ({
  key: event.key,
  ctrlKey: event.ctrlKey,
  metaKey: event.metaKey,
  altKey: event.altKey,
  shiftKey: event.shiftKey,
  isComposing: event.nativeEvent.isComposing,
})

'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useEffect, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'
import { useCallActions } from '@/components/chat/chat-context'
import { Elapsed } from '@/components/ui/elapsed'
import { Findable } from '@/components/ui/findable'
import { formatDuration } from '@/lib/base/format-duration'
import type { StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'
import { toolRegistry } from '@/lib/tools/registry'
import type { ToolDefinition } from '@/lib/tools/tool'
import { CallBody } from './call-body'
import { cardKey, focusNeighbour, pressOf, whereIn } from './card-keys'
import { CardHead } from './card-head'
import { cardStatus, isOutcome, isReviewing, reviewStatus, type CardStatus } from './card-status'
import { HeadSelect } from '../batch/head-select'
import type { GateKeys } from '../gate/result-gate'
import { resultBytes } from './result-size'
import { problemWords } from '../words/tool-words'
import type { CallEntry } from '../reply/use-message-calls'
import type { Batch } from '../batch/use-batch'
import { useFold } from './use-fold'
import type { LookKeys } from '../waiting/use-look-over'
import type { CardPanel } from '../waiting/waiting-body'

/** Larger results are only laid out once somebody opens them. */
const findableBytes = 16_384

export interface CallCardProps {
  readonly conversationId: string
  readonly messageId: string
  readonly strategy: StrategyId
  readonly tools: readonly ToolSpec[]
  readonly timeoutMs: number
  readonly entry: CallEntry
  readonly raw: string
  readonly current: boolean
  /** Offered when no other call of the reply is open: settles what can't run. */
  readonly canTell: boolean
  /** A call that can't run may be changed: the reply is the last message. */
  readonly canEdit: boolean
  /** The user wrote something else after the reply. */
  readonly overtaken: boolean
  readonly batch: Batch
  /** The card stands in place of one whose button was just pressed, and takes over its focus. */
  readonly takesFocus: boolean
  readonly onAttention: (kind: 'focus' | 'hover', here: boolean) => void
}

/** One live call in all its states. The element stays the same through them, so that the focus stays in the card. */
export function CallCard(props: CallCardProps) {
  const { messageId, entry, onAttention, batch } = props
  const { slot, call, state, problem } = entry
  const actions = useCallActions()
  const card = useRef<HTMLDivElement>(null)
  const gate = useRef<GateKeys>(null)
  const looked = useRef<LookKeys>(null)
  const [panel, setPanel] = useState<CardPanel>(null)
  const fold = useFold(state)
  useTakenFocus(card, props.takesFocus)
  const { watch } = batch
  useEffect(() => watch(slot, () => looked.current), [watch, slot])
  const tool = toolRegistry.get(call.name)
  const waiting = state.status === 'awaiting_approval'
  const reviewing = isReviewing(state)
  const asking = waiting || reviewing || state.status === 'awaiting_result_approval'
  const deniable = props.canEdit && isDeniable(entry)
  const editable = deniable && isEditable(entry)
  const place = batch.order.findIndex((one) => one.slot === slot)
  const summary = useMemo(() => tool?.summarize(call.arguments) ?? null, [tool, call])
  const findable = state.status === 'completed' && resultBytes(state.outcome) <= findableBytes && !problem
  const noun = isOutcome(state) ? 'Tool result' : 'Tool call'

  /** The button that was pressed goes away with the state; the focus stays with the card instead of getting lost. */
  const keepFocus = () => card.current?.focus({ preventScroll: true })
  const run = () => {
    keepFocus()
    actions.run(messageId, [slot])
  }
  const answerReview = (answer: 'keep' | 'discard') => {
    keepFocus()
    actions.answerReview(messageId, slot, answer)
  }
  const deny = (reason: string) => {
    keepFocus()
    setPanel(null)
    actions.deny(messageId, [slot], reason)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const key = cardKey(pressOf(event), whereIn(event.currentTarget, event.target))
    if (key === null) return
    if (key === 'previous' || key === 'next') {
      if (focusNeighbour(event.currentTarget, key)) event.preventDefault()
      return
    }
    if (key === 'fold') return fold.foldable ? fold.toggle() : undefined
    if (state.status === 'awaiting_result_approval' && (key === 'run' || key === 'deny')) {
      event.preventDefault()
      if (key === 'run') gate.current?.send()
      else gate.current?.keep()
      return
    }
    if (reviewing && (key === 'run' || key === 'deny')) {
      event.preventDefault()
      return answerReview(key === 'run' ? 'keep' : 'discard')
    }
    const allowed = key === 'edit' ? editable : (key === 'deny' || key === 'reason') && deniable
    if (!waiting && !allowed) return
    event.preventDefault()
    if (key === 'run') {
      if (looked.current?.passes() ?? true) run()
    } else if (key === 'deny') deny('')
    else if (key === 'earlier' || key === 'later') batch.move(slot, key === 'earlier' ? -1 : 1)
    else setPanel(key)
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
      aria-label={visibleText(`${noun}: ${call.name}`, 'name')}
      data-call-card={asking ? 'waiting' : state.status}
      tabIndex={0}
      {...listeners}
    >
      <CardHead
        call={call}
        summary={waiting ? null : summary}
        status={statusOf(entry)}
        figures={<Figures entry={entry} tool={tool} />}
        {...(fold.foldable ? { fold } : {})}
        {...(batch.selecting && place >= 0
          ? {
              lead: (
                <HeadSelect
                  name={call.name}
                  place={place + 1}
                  count={batch.order.length}
                  selected={batch.selected.some((one) => one.slot === slot)}
                  onSelect={(selected) => batch.select(slot, selected)}
                  onMove={(step) => batch.move(slot, step)}
                />
              ),
            }
          : {})}
      />
      {fold.open || findable ? (
        <Findable open={fold.open} onFound={fold.unfold}>
          <CallBody
            {...props}
            card={card}
            tool={tool}
            summary={summary}
            gate={gate}
            look={looked}
            canEdit={editable}
            canDeny={deniable}
            panel={panel}
            onPanel={(next) => {
              setPanel(next)
              if (next === null) keepFocus()
            }}
            onRun={run}
            onReview={answerReview}
            onDeny={deny}
          />
        </Findable>
      ) : null}
      {!fold.open && problem ? (
        <p className="card-say trouble card-pad">
          <SaidText text={problem} />
        </p>
      ) : null}
    </div>
  )
}

function cardClass({ entry, current }: CallCardProps): string {
  if (isReviewing(entry.state)) return `card waiting${current ? ' current' : ''}`
  switch (entry.state.status) {
    case 'awaiting_approval':
    case 'awaiting_result_approval':
      return `card waiting${current ? ' current' : ''}`
    case 'pending':
    case 'not_offered':
      return 'card grey'
    default:
      return 'card'
  }
}

function useTakenFocus(card: RefObject<HTMLElement | null>, takes: boolean): void {
  const first = useRef(takes)
  useEffect(() => {
    if (first.current) card.current?.focus({ preventScroll: true })
    first.current = false
  }, [card])
}

/** It can't run as it stands, and the model has not been told. */
const isDeniable = ({ state }: CallEntry): boolean =>
  (state.status === 'not_found' || state.status === 'not_runnable') && !state.posted

/** A name or arguments that don't fit can be mended by hand; a switched-off tool or a repeat can't. */
const isEditable = ({ call }: CallEntry): boolean =>
  call.problem?.code === 'unknown-tool' || call.problem?.code === 'invalid-arguments'

function statusOf({ call, state }: CallEntry): CardStatus {
  if (isReviewing(state)) return reviewStatus
  const status = cardStatus[state.status]
  if (state.status !== 'not_runnable' || !call.problem) return status
  return { ...status, word: problemWords(call, call.problem).status }
}

/** How long it took, and how much it did; goes on after the status word. */
function Figures({ entry: { state }, tool }: { entry: CallEntry; tool: ToolDefinition | undefined }) {
  switch (state.status) {
    case 'executing':
      return state.review ? null : (
        <>
          {' · '}
          <Elapsed startedAt={state.startedAt} />
        </>
      )
    case 'completed': {
      const measure = tool?.measure?.(state.outcome.result) ?? ''
      return (
        <>
          <Took ms={state.outcome.durationMs} />
          {measure === '' ? null : ` · ${measure}`}
        </>
      )
    }
    case 'error':
    case 'cancelled':
      return <Took ms={state.outcome?.durationMs ?? null} />
    default:
      return null
  }
}

const Took = ({ ms }: { ms: number | null }) =>
  ms === null ? null : <span className="hide-s">{` · ${formatDuration(ms)}`}</span>

'use client'

import { labelOf } from '@/lib/base/foreign-text/foreign'
import { useState } from 'react'
import { Findable } from '@/components/ui/findable'
import type { CallState } from '@/lib/calls/call-state'
import { HeadSelect } from '../batch/head-select'
import { useReplyScope } from '../scope/reply-scope'
import { useLiveCall } from './use-live-call'
import type { CallEntry } from '../scope/use-message-calls'
import { t } from '@/lib/i18n/t'
import { problemWords } from '../words/tool-words'
import { CallBody } from './call-body'
import { CallFigures } from './call-figures'
import { CallScopeProvider, useCall } from '../scope/call-scope'
import { CardHead } from './card-head'
import {
  cancelledStatus,
  cardStatus,
  isCancelled,
  isOutcome,
  isReviewing,
  reviewStatus,
  turnStatus,
  type CardStatus,
} from '../scope/card-status'
import { unreadableWords } from '../words/unreadable-words'
import { waitOf } from './key-act'
import { resultBytes } from '../evidence/result-size'
import { isOneLine } from '../waiting/is-one-line'
import { WaitingLine } from '../waiting/waiting-line'
import { useCallKeys } from './use-call-keys'
import { cardFrame } from '../look/card'
import { Sweep, CardTrouble } from '../look/card-parts'

/** Larger results are only laid out once somebody opens them. */
const findableBytes = 16_384

export interface CallCardProps {
  readonly entry: CallEntry
  readonly raw: string
  /** The card stands in place of one whose button was just pressed, and takes over its focus. */
  readonly takesFocus: boolean
}

/** One live call in all its states. The element stays the same through them, so that the focus stays in the card. */
export function CallCard({ entry, raw, takesFocus }: CallCardProps) {
  const { scope, card, fold, listeners } = useLiveCall(entry, raw, takesFocus)
  const { batch } = useReplyScope().view
  const { slot, call, state, problem } = entry
  const { current, summary } = scope
  const wait = waitOf(state)
  const [whole, setWhole] = useState(false)
  const mayBeLine = isOneLine(scope)
  const isLine = mayBeLine && !whole
  const lessOrMore = mayBeLine ? () => setWhole(!whole) : null
  const onKeyDown = useCallKeys(scope, {
    fold: fold.foldable ? fold.toggle : lessOrMore,
    move: (step) => batch.move(slot, step),
  })
  const findable = state.status === 'completed' && resultBytes(state.outcome) <= findableBytes && !problem
  const label = t(isOutcome(state) ? 'card-frame.result' : 'card-frame.call', { tool: call.name })
  return (
    <CallScopeProvider value={scope}>
      <div
        ref={card}
        className={cardFrame({ look: lookOf(state, current) })}
        data-current={current ? '' : undefined}
        role="group"
        aria-label={labelOf(label)}
        data-call-card={wait === 'nothing' ? state.status : 'waiting'}
        tabIndex={0}
        {...{ onKeyDown, ...listeners }}
      >
        {state.status === 'executing' && !state.review && !state.waitsForTurn ? <Sweep /> : null}
        {isLine ? (
          <WaitingLine lead={<SelectInHead />} onOpen={() => setWhole(true)} />
        ) : (
          <>
            <CardHead
              call={call}
              quiet={lookOf(state, current) === 'dashed'}
              summary={wait === 'run' ? null : summary}
              status={statusOf(entry, scope.tool?.asksUser === true)}
              figures={<CallFigures />}
              lead={<SelectInHead />}
              {...(fold.foldable ? { fold } : {})}
            />
            {fold.open || findable ? (
              <Findable open={fold.open} onFound={fold.unfold}>
                <CallBody onLess={lessOrMore} />
              </Findable>
            ) : null}
          </>
        )}
        {!fold.open && problem ? <CardTrouble last alert={false} text={problem} /> : null}
        {entry.record?.unreadable ? (
          <CardTrouble last alert={false} text={unreadableWords(entry.record.unreadable)} />
        ) : null}
      </div>
    </CallScopeProvider>
  )
}

/** The call's place in the batch, while calls are selected. */
function SelectInHead() {
  const { entry, tool } = useCall()
  const { call, slot } = entry
  const { batch } = useReplyScope().view
  const place = batch.order.findIndex((one) => one.slot === slot)
  if (!batch.selecting || place < 0 || tool?.asksUser) return null
  return (
    <HeadSelect
      name={call.name}
      place={place + 1}
      count={batch.order.length}
      selected={batch.selected.some((one) => one.slot === slot)}
      onSelect={(selected) => batch.select(slot, selected)}
      onMove={(step) => batch.move(slot, step)}
    />
  )
}

function lookOf(state: CallState, current: boolean) {
  if (waitOf(state) !== 'nothing') return current ? 'current' : 'waiting'
  return state.status === 'pending' || state.status === 'not_offered' ? 'dashed' : undefined
}

function statusOf(entry: CallEntry, asksUser: boolean): CardStatus {
  const { call, state } = entry
  if (isReviewing(state)) return reviewStatus
  if (state.status === 'executing' && state.waitsForTurn) return turnStatus
  if (isCancelled(entry)) return cancelledStatus
  const status = cardStatus[state.status]
  if (asksUser && state.status === 'completed') return { ...status, word: t('asks.answered') }
  if (state.status !== 'not_runnable' || !call.problem) return status
  return { ...status, word: problemWords(call, call.problem).status }
}

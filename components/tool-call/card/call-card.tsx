'use client'

import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { useState } from 'react'
import { Findable } from '@/components/ui/text/plain-text'
import type { CallState } from '@/lib/shared/calls/call-state'
import { HeadSelect } from '../batch/batch-bar'
import { useReplyScope } from '../scope/reply-scope'
import { useLiveCall } from './use-live-call'
import {
  type CallEntry,
  CallScopeProvider,
  useCall,
  type ChangedLines,
  cancelledStatus,
  isKeptForUser,
  cardStatus,
  isCancelled,
  isOutcome,
  isAsked,
  isAskingForTools,
  isReviewing,
  questionStatus,
  reviewStatus,
  turnStatus,
  type CardStatus,
} from '../scope/call-scope'
import { t } from '@/lib/i18n/t'
import { problemText } from '@/lib/protocols/types/strategy-facts'
import { CardHead } from './card-head'
import { unreadableText } from '../words/tool-name'
import { mayHaveRun, SettledActions } from '../settled/settled-actions'
import { waitOf, useCallKeys } from './use-call-keys'
import { resultBytes } from '../evidence/call-evidence'
import { isOneLine, WaitingLine, WaitingBody } from '../waiting/waiting-body'
import { CallLinkState } from '../look/use-look'
import { cardFrame, ProgressSweep, CardTrouble } from '../styles/card'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { LazyAsk, LazyQuestion } from '../lazy-parts'
import { NotOfferedBody, UnrunnableBody } from '../no-call/unrunnable-body'
import { QueuedBody, RunningBody } from '../running/running-body'
import { CompletedBody, WithheldBody, SkippedBody } from '../settled/not-run-body'
import { DeniedBody } from '../denied/denied-body'
import { UnsettledBody, FailedBody } from '../settled/unsettled-body'
import { note } from '@/components/ui/recipes/surface'
import { Elapsed } from '@/components/ui/code/console-lines'
import { formatDuration } from '@/lib/base/text/locale'
import { waitsFor } from '@/lib/sandbox/sandbox'

/** Duration, result size, and call format, shown after the status. */
function CallFigures() {
  return (
    <>
      <RunFigures />
      {useReplyScope().message.exact?.is === 'honoured' ? (
        <span title={t('card-frame.exact-why')}> · {t('card-frame.exact')}</span>
      ) : null}
    </>
  )
}

function RunFigures() {
  const {
    entry: { state, live },
    tool,
    lines,
  } = useCall()
  switch (state.status) {
    case 'executing':
      // Its time counts from where its code begins.
      return state.review ||
        state.question ||
        state.innerAsked ||
        state.waitsForTurn ||
        waitsFor(live?.events ?? []) !== '' ? null : (
        <>
          {' · '}
          <Elapsed startedAt={state.startedAt} />
        </>
      )
    case 'completed': {
      const measure = tool?.card.measure?.(state.outcome.result) ?? ''
      return (
        <>
          {tool?.policy.asksUser ? null : <Took ms={state.outcome.durationMs} />}
          {lines === null || lines.added + lines.removed === 0 ? null : <Lines {...lines} />}
          {measure === '' ? null : ` · ${measure}`}
        </>
      )
    }
    case 'error':
    case 'cancelled':
      // 0 ms is not shown.
      return <Took ms={state.outcome?.durationMs || null} />
    default:
      return null
  }
}

/** "+3 −1"; "+3" if no line was removed. */
const Lines = (lines: ChangedLines) => (
  <>
    {' · '}
    <span aria-hidden="true">
      {lines.added > 0 ? <span className="text-ok">+{lines.added}</span> : null}
      {lines.added > 0 && lines.removed > 0 ? ' ' : null}
      {lines.removed > 0 ? <span className="text-danger">−{lines.removed}</span> : null}
    </span>
    <span className="sr-only">{t('card.lines', lines)}</span>
  </>
)

const Took = ({ ms }: { ms: number | null }) =>
  ms === null ? null : <span className="narrow:hidden">{` · ${formatDuration(ms)}`}</span>

const loading = (what: 'card-frame.loading-result' | 'card-frame.loading-review') => () => (
  <p className={note({ place: 'inset' })}>{t(what)}</p>
)
const ResultApproval = lazyPart(() => import('../result-approval/result-approval'), {
  what: () => t('card-frame.part-result'),
  loading: loading('card-frame.loading-result'),
})
const ReviewBody = lazyPart(() => import('../running/review-body'), {
  what: () => t('card-frame.part-review'),
  loading: loading('card-frame.loading-review'),
})

const LazyInnerCalls = lazyPart(() => import('./inner-calls'), {
  what: () => t('card-inner.part'),
  loading: loading('card-frame.loading-result'),
})

const hasInner = ({ record, live }: CallEntry): boolean =>
  (record?.inner?.length ?? 0) > 0 || (live?.inner?.length ?? 0) > 0

/** The part below the head, by state. `onLess`: while it waits, it can collapse to a line. */
function CallBody({ onLess }: { onLess: (() => void) | null }) {
  const { entry, tool } = useCall()
  const { state } = entry
  switch (state.status) {
    case 'awaiting_approval':
      return tool?.policy.asksUser ? <LazyAsk /> : <WaitingBody onLess={onLess} />
    case 'queued':
      return <QueuedBody />
    case 'executing':
      if (state.review) return <ReviewBody review={state.review} />
      return state.question ? <LazyQuestion question={state.question} /> : <RunningBody here={state.here} />
    case 'awaiting_result_approval':
      return <ResultApproval outcome={state.outcome} />
    case 'completed':
      return <CompletedBody state={state} />
    case 'error':
      return <FailedBody state={state} />
    case 'result_rejected':
      return <WithheldBody state={state} />
    case 'execution_rejected':
      return <DeniedBody reason={state.reason} posted={state.posted} />
    case 'skipped':
      return <SkippedBody />
    case 'cancelled':
    case 'interrupted':
      return <UnsettledBody state={state} />
    case 'not_found':
    case 'not_runnable':
      return <UnrunnableBody posted={state.posted} />
    case 'pending':
      return <NotOfferedBody why={t('no-call.being-written')} />
    case 'not_offered':
      return <NotOfferedBody why={t(`card-unfinished.${state.outcome}`)} />
  }
}

/** Larger results are laid out only when opened. */
const findableBytes = 16_384

export interface CallCardProps {
  readonly entry: CallEntry
  readonly raw: string
  /** The card replaces one whose button was just pressed, and takes its focus. */
  readonly takesFocus: boolean
}

/** One live call in all its states. The element stays the same, so that the focus stays in the card. */
export function CallCard({ entry, raw, takesFocus }: CallCardProps) {
  const { scope, card, fold, listeners } = useLiveCall(entry, raw, takesFocus)
  const { batch } = useReplyScope().view
  const { slot, call, state, problem } = entry
  const { current, summary } = scope
  const wait = waitOf(state)
  const [whole, setWhole] = useState(false)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const hasRun = mayHaveRun(state)
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
        {state.status === 'executing' && wait === 'nothing' && !state.waitsForTurn ? <ProgressSweep /> : null}
        {isLine ? (
          <WaitingLine lead={<SelectInHead />} onOpen={() => setWhole(true)} />
        ) : (
          <>
            <CardHead
              call={call}
              quiet={lookOf(state, current) === 'dashed'}
              summary={wait === 'run' ? null : summary}
              status={statusOf(entry, scope.tool?.policy.asksUser === true)}
              figures={<CallFigures />}
              lead={<SelectInHead />}
              {...(hasRun ? { actions: setActions } : {})}
              {...(fold.foldable ? { fold } : {})}
            />
            {fold.open || findable ? (
              <Findable open={fold.open} onFound={fold.unfold}>
                <CallBody onLess={lessOrMore} />
                {hasInner(entry) ? <LazyInnerCalls /> : null}
              </Findable>
            ) : null}
            {hasRun ? <SettledActions place={actions} isOpen={fold.open} /> : null}
          </>
        )}
        <CallLinkState />
        {!fold.open && problem ? <CardTrouble last alert={false} text={problem} /> : null}
        {entry.record?.unreadable ? (
          <CardTrouble last alert={false} text={unreadableText(entry.record.unreadable)} />
        ) : null}
      </div>
    </CallScopeProvider>
  )
}

/** The call's position in the batch during a selection. */
function SelectInHead() {
  const { entry, tool } = useCall()
  const { call, slot } = entry
  const { batch } = useReplyScope().view
  const place = batch.order.findIndex((one) => one.slot === slot)
  if (!batch.selecting || place < 0 || tool?.policy.asksUser) return null
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
  if (isAsked(state)) return questionStatus
  if (isAskingForTools(state)) return cardStatus.awaiting_approval
  if (state.status === 'executing' && state.waitsForTurn) return turnStatus
  if (isKeptForUser(state)) return cardStatus.awaiting_approval
  if (isCancelled(entry)) return cancelledStatus
  const status = cardStatus[state.status]
  if (asksUser && state.status === 'completed') return { ...status, word: t('asks.answered') }
  if (state.status !== 'not_runnable' || !call.problem) return status
  return { ...status, word: problemText(call, call.problem).status }
}

'use client'

import { lazyPart } from '@/components/ui/lazy-part'
import { LazyAsk } from '../ask/lazy-parts'
import { NotOfferedBody, UnrunnableBody } from '../no-call/unrunnable-body'
import { QueuedBody } from '../running/queued-body'
import { RunningBody } from '../running/running-body'
import { CompletedBody } from '../settled/completed-body'
import { FailedBody } from '../settled/failed-body'
import { KeptBody } from '../settled/kept-body'
import { DeniedBody } from '../denied/denied-body'
import { SkippedBody } from '../settled/not-run-body'
import { UnsettledBody } from '../settled/unsettled-body'
import { WaitingBody } from '../waiting/waiting-body'
import { useCall } from '../scope/call-scope'
import { note } from '@/components/ui/recipes/note'
import { t } from '@/lib/i18n/t'

const loading = (what: 'card-frame.loading-result' | 'card-frame.loading-review') => () => (
  <p className={note({ place: 'inset' })}>{t(what)}</p>
)
const ResultGate = lazyPart(() => import('../gate/result-gate'), {
  what: () => t('card-frame.part-result'),
  loading: loading('card-frame.loading-result'),
})
const ReviewBody = lazyPart(() => import('../running/review-body'), {
  what: () => t('card-frame.part-review'),
  loading: loading('card-frame.loading-review'),
})

/** What stands below the head, by state. `onLess`: while it waits it may be a line again. */
export function CallBody({ onLess }: { onLess: (() => void) | null }) {
  const { entry, tool } = useCall()
  const { state } = entry
  switch (state.status) {
    case 'awaiting_approval':
      return tool?.asksUser ? <LazyAsk /> : <WaitingBody onLess={onLess} />
    case 'queued':
      return <QueuedBody />
    case 'executing':
      return state.review ? <ReviewBody review={state.review} /> : <RunningBody here={state.here} />
    case 'awaiting_result_approval':
      return <ResultGate outcome={state.outcome} />
    case 'completed':
      return <CompletedBody state={state} />
    case 'error':
      return <FailedBody state={state} />
    case 'result_rejected':
      return <KeptBody state={state} />
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

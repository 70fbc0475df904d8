import { Elapsed } from '@/components/ui/elapsed'
import { formatDuration } from '@/lib/base/format-duration'
import { waitsFor } from '@/lib/sandbox/waits-for'
import { t } from '@/lib/i18n/t'
import { useCall, type ChangedLines } from '../scope/call-scope'
import { useReplyScope } from '../scope/reply-scope'

/** How long it took, how much it did, and how it was written; goes on after the status word. */
export function CallFigures() {
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
      return state.review || state.waitsForTurn || waitsFor(live?.events ?? []) !== '' ? null : (
        <>
          {' · '}
          <Elapsed startedAt={state.startedAt} />
        </>
      )
    case 'completed': {
      const measure = tool?.measure?.(state.outcome.result) ?? ''
      return (
        <>
          {tool?.asksUser ? null : <Took ms={state.outcome.durationMs} />}
          {lines === null ? null : <Lines {...lines} />}
          {measure === '' ? null : ` · ${measure}`}
        </>
      )
    }
    case 'error':
    case 'cancelled':
      // Nothing took no time.
      return <Took ms={state.outcome?.durationMs || null} />
    default:
      return null
  }
}

/** "+3 −1" */
const Lines = (lines: ChangedLines) => (
  <>
    {' · '}
    <span aria-hidden="true">
      <span className="text-ok">+{lines.added}</span> <span className="text-danger">−{lines.removed}</span>
    </span>
    <span className="sr-only">{t('card.lines', lines)}</span>
  </>
)

const Took = ({ ms }: { ms: number | null }) =>
  ms === null ? null : <span className="narrow:hidden">{` · ${formatDuration(ms)}`}</span>

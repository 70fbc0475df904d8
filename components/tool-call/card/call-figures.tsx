import { Elapsed } from '@/components/ui/elapsed'
import { formatDuration } from '@/lib/base/format-duration'
import { useCall } from '../scope/call-scope'

/** How long it took, and how much it did; goes on after the status word. */
export function CallFigures() {
  const {
    entry: { state },
    tool,
  } = useCall()
  switch (state.status) {
    case 'executing':
      return state.review || state.waitsForTurn ? null : (
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
      // Nothing took no time.
      return <Took ms={state.outcome?.durationMs || null} />
    default:
      return null
  }
}

const Took = ({ ms }: { ms: number | null }) =>
  ms === null ? null : <span className="narrow:hidden">{` · ${formatDuration(ms)}`}</span>

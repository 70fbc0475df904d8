import type { ReactNode } from 'react'
import { repairWords } from '@/lib/strategies/repair-words'
import type { CallSegment } from '@/lib/strategies/segment'
import { REPEATS_STOP, REPEATS_WARN } from '@/lib/tool-calls/chain-limits'
import type { ToolDefinition } from '@/lib/tools/tool'
import { timesWords } from './times-words'

/** What the call may touch, what was mended in it, and in which form it was written. */
export function CallMeta({
  call,
  tool,
  strategy,
  repeats,
}: {
  call: CallSegment
  tool: ToolDefinition | undefined
  strategy: string
  /** How often this very call was asked for since the user's last word. */
  repeats: number
}) {
  const repairs = call.repairs.map((code) => repairWords[code])
  return (
    <>
      <p className="card-meta">
        {tool ? <span className="chip">files: {tool.capabilities.files}</span> : null}
        {tool ? <span className="chip">network: {tool.capabilities.network}</span> : null}
        {repairs.length > 0 ? (
          <span>
            {repairs.length === 1 ? '1 repair' : `${repairs.length} repairs`}: {repairs.join('; ')}
          </span>
        ) : null}
        {call.coercions.map((coercion, index) => (
          <span key={index}>{coercion.note}</span>
        ))}
        <span className="end">via {strategy}</span>
      </p>
      {repeats >= REPEATS_WARN ? (
        <p className="card-say amber">
          The model has asked for this {timesWords(repeats)}.
          {repeats >= REPEATS_STOP ? ' It runs by a click on this card only.' : ''}
        </p>
      ) : null}
    </>
  )
}

export function Meta({ children }: { children: ReactNode }) {
  return <p className="card-meta">{children}</p>
}

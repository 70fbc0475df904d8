import type { ReactNode } from 'react'
import { repairWords } from '@/lib/strategies/repair-words'
import { REPEATS_STOP, REPEATS_WARN } from '@/lib/tool-calls/chain-limits'
import { SentenceParts } from '../sentence'
import { useCall } from './call-scope'
import { timesWords } from '../words/times-words'

/** Changes of arguments that are named; a call may hold a thousand keys. */
const SAID_CHANGES = 6

/** What the call may touch, what was mended in it, and in which form it was written. */
export function CallMeta() {
  const { entry, tool, strategy } = useCall()
  const { call, repeats } = entry
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
        {call.coercions.slice(0, SAID_CHANGES).map((coercion, index) => (
          <span key={index}>
            <SentenceParts parts={coercion.note} />
          </span>
        ))}
        {call.coercions.length > SAID_CHANGES ? (
          <span>and {call.coercions.length - SAID_CHANGES} more changes of this kind</span>
        ) : null}
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

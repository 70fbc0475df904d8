import type { ReactNode } from 'react'
import { repairWords } from '@/lib/strategies/repair-words'
import type { CallSegment } from '@/lib/strategies/segment'
import type { ToolDefinition } from '@/lib/tools/tool'

/** What the call may touch, what was mended in it, and in which form it was written. */
export function CallMeta({
  call,
  tool,
  strategy,
}: {
  call: CallSegment
  tool: ToolDefinition | undefined
  strategy: string
}) {
  const repairs = call.repairs.map((code) => repairWords[code])
  return (
    <p className="card-meta">
      {tool ? <span>files: {tool.capabilities.files}</span> : null}
      {tool ? <span>network: {tool.capabilities.network}</span> : null}
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
  )
}

export function Meta({ children }: { children: ReactNode }) {
  return <p className="card-meta">{children}</p>
}

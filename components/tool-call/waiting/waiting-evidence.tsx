'use client'

import { useMemo } from 'react'
import { isReadByGuess } from '@/lib/calls/read-by-guess'
import type { CallSummary, PathLookup } from '@/lib/tools/tool'
import { useCall } from '../scope/call-scope'
import { CallEvidence } from '../evidence/call-evidence'
import { PartialChange } from './partial-change'

/** Whether the change can be taken in parts, and whether its places are being chosen. */
export type InParts = 'not offered' | 'offered' | 'chosen'

interface WaitingEvidenceProps {
  readonly summary: CallSummary | null
  /** What stands there now. */
  readonly files: PathLookup
  readonly inParts: InParts
  readonly onInParts: (next: InParts) => void
}

/** What the call would do; a change of a whole text can be taken in parts. */
export function WaitingEvidence({ summary, files, inParts, onInParts }: WaitingEvidenceProps) {
  const { entry, tool, decide } = useCall()
  const { call } = entry
  const asked = entry.asked ?? call
  const whole = <CallEvidence summary={summary} args={call.arguments} />
  const body = summary?.body
  const askedBody = useMemo(
    () => (tool && asked.name === tool.name ? tool.summarize(asked.arguments, files).body : null),
    [tool, asked, files],
  )
  const isWhole = body?.kind === 'diff' && body.whole && askedBody?.kind === 'diff' && askedBody.whole
  if (!isWhole || !tool?.argumentsFor || isReadByGuess(call) || body.before === null || askedBody.path !== body.path) {
    return whole
  }
  const { before } = body
  const take = async (after: string) => {
    if (after === askedBody.after) return decide.amend('undo')
    const args = await tool.argumentsFor?.(asked.arguments, { before, after })
    return args ? decide.amend({ name: asked.name, arguments: args }) : null
  }
  return (
    <PartialChange
      path={body.path}
      before={before}
      asked={askedBody.after}
      now={body.after}
      onTake={take}
      isChosen={inParts === 'chosen'}
      onOffer={(offers) => onInParts(offers ? 'offered' : 'not offered')}
      whole={whole}
    />
  )
}

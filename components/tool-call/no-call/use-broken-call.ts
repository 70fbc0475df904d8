'use client'

import { useMemo, useState } from 'react'
import { proposeRepair, type RepairProposal } from '@/lib/protocols/propose-repair'
import type { BrokenSegment } from '@/lib/protocols/types/segment'
import type { CallToWrite, StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'

export interface BrokenCardProps {
  readonly broken: BrokenSegment
  readonly raw: string
  readonly strategy: StrategyId
  readonly tools: readonly ToolSpec[]
  /** How often the model was asked already to fix this trouble. */
  readonly rounds: number
  /** Null when nothing can be done from here (the reply is not the last one, or not finished). */
  readonly onAsk: ((message: string) => void) | null
  /** Makes a call of it, which then waits for the user. Gives a sentence when it could not be stored. */
  readonly onUse: ((call: CallToWrite) => Promise<string | null>) | null
}

export interface BrokenCall {
  /** `left`: the user leaves it as it is. */
  readonly phase: 'shown' | 'editing' | 'left'
  /** Something can be done about it from here. */
  readonly isOpen: boolean
  /** A repair that is certain; null where there is none, or nothing can be done. */
  readonly proposal: RepairProposal | null
  /** Why it could not be stored as a call. */
  readonly problem: string | null
  readonly edit: () => void
  /** Ends the editing. */
  readonly close: () => void
  readonly leave: () => void
  /** Makes a call of it. Gives a sentence when it could not be stored. */
  readonly use: (call: CallToWrite) => Promise<string | null>
}

/** What a person makes of a call that can't be read. */
export function useBrokenCall({
  broken,
  raw,
  strategy,
  tools,
  onUse,
}: Pick<BrokenCardProps, 'broken' | 'raw' | 'strategy' | 'tools' | 'onUse'>): BrokenCall {
  const [phase, setPhase] = useState<BrokenCall['phase']>('shown')
  const [problem, setProblem] = useState<string | null>(null)
  const { reason } = broken
  const isOpen = onUse !== null && phase !== 'left'
  const proposal = useMemo(
    () => (isOpen ? proposeRepair(raw, reason, strategy, tools) : null),
    [isOpen, raw, reason, strategy, tools],
  )
  return {
    phase,
    isOpen,
    proposal,
    problem,
    edit: () => setPhase('editing'),
    close: () => setPhase('shown'),
    leave: () => setPhase('left'),
    async use(call) {
      const refused = (await onUse?.(call)) ?? null
      setProblem(refused)
      return refused
    },
  }
}

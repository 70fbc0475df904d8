import type { ToolFacts } from '@/lib/shared/calls/approval-policy'
import { promotedSlot, type ReadWrittenCall } from '@/lib/shared/calls/message-calls'
import type { CallSegment } from '@/lib/protocols/types/segment'

export const SLOTS = 3
/** The slot of the quoted call, after the live ones, once it is lifted. */
export const PROMOTED = promotedSlot(SLOTS)
/** An argument `v` of this value is invalid. */
export const UNFIT = 2
export const unfit = { code: 'invalid-arguments', issues: [] } as const
export const MESSAGE = 'm1'

export const call = (slot: number, patch: Partial<CallSegment> = {}): CallSegment => ({
  kind: 'call',
  start: slot,
  end: slot + 1,
  id: `call_${slot + 1}`,
  name: 'write_file',
  arguments: { path: `/${slot}` },
  standing: 'live',
  verdict: 'ok',
  repairs: [],
  coercions: [],
  dialect: 'JSON_Strict',
  problem: null,
  ...patch,
})

/** The facts about any tool here. */
export const toolOf = (name: string): ToolFacts => ({
  spec: { name },
  policy: {
    permission: 'public',
    requireExecutionApproval: 'never',
    // Also plays code, which may call the others.
    ...(name === 'write_file' ? { callsTools: 'javascript' } : { fromCode: true }),
    capabilities: { files: 'write', network: 'off' },
  },
})

/** Live calls, and a quoted one after them. */
export const usualCalls: readonly CallSegment[] = [
  ...Array.from({ length: SLOTS }, (_, slot) => call(slot)),
  call(SLOTS, { standing: 'quoted', arguments: { path: `/${PROMOTED}` } }),
]

export const read: ReadWrittenCall = (written) => ({
  ...written,
  repairs: [],
  coercions: [],
  problem: written.arguments['v'] === UNFIT ? unfit : null,
})

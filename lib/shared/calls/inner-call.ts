import { relayBudget } from '@/lib/sandbox/limits'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { CallRecord, InnerCall } from '@/lib/shared/conversation/conversation'
import type { MessageCall } from './message-calls'

/** Tools that one run of code may call. */
export const innerLimits = { calls: relayBudget.toolCalls } as const

/** A tool that code calls, as a call to be judged like any of the reply: `code` is the call whose code it is. */
export const innerMessageCall = (code: MessageCall, { name, arguments: args }: CallToWrite): MessageCall => ({
  slot: code.slot,
  call: { ...code.call, name, arguments: args, repairs: [], coercions: [], problem: null },
  runnable: true,
  asked: null,
  changed: false,
  // Lifted, repaired or changed code is asked about by itself; what it asks for then is plain.
  lifted: false,
})

/** The tools that this attempt called; none of an earlier one. */
export const innerOf = ({ inner = [], attempt }: Pick<CallRecord, 'inner' | 'attempt'>): readonly InnerCall[] =>
  inner.filter((one) => one.attempt === attempt)

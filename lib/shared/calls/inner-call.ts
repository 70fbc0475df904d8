import { relayBudget } from '@/lib/sandbox/limits'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { CallRecord, InnerCall } from '@/lib/shared/conversation/call-record'
import type { MessageCall } from './message-calls'

/** How many tools one run of code may call. */
export const innerLimits = { calls: relayBudget.toolCalls } as const

/** A tool that code calls, in the form of a call of the reply. `code` is the call whose code it is. */
export const innerMessageCall = (
  code: Pick<MessageCall, 'slot' | 'call'>,
  { name, arguments: args }: CallToWrite,
): MessageCall => ({
  slot: code.slot,
  call: { ...code.call, name, arguments: args, repairs: [], coercions: [], problem: null },
  runnable: true,
  asked: null,
  changed: false,
  // Lifted, repaired or changed code is itself asked about, so its inner calls are treated as plain calls.
  promoted: false,
})

/** The tools that a call's code called, whichever attempt that was: of each number the newest. In their order. */
export function innerOf({ inner = [] }: Pick<CallRecord, 'inner'> = {}): readonly InnerCall[] {
  const newest = new Map<number, InnerCall>()
  for (const one of inner) if (one.attempt >= (newest.get(one.n)?.attempt ?? 0)) newest.set(one.n, one)
  return [...newest.values()].toSorted((a, b) => a.n - b.n)
}

/** The inner calls of earlier attempts, by number. */
export const earlierInner = (record: CallRecord | undefined, attempt: number): ReadonlyMap<number, InnerCall> =>
  new Map(
    innerOf({ inner: (record?.inner ?? []).filter((one) => one.attempt < attempt) }).map(
      (one) => [one.n, one] as const,
    ),
  )

import type { JsonObject } from '@/lib/base/json'
import type { ReadingItem } from '@/lib/protocols/explain/explain-reply'
import type { ParsedReply } from '@/lib/protocols/types/segment'

/** A call of a reply that was read, to be run by hand. */
export interface TakenCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** Which items, by their place in the list, are calls that could run, and what they ask for. */
export function takenCalls(
  items: readonly Pick<ReadingItem, 'tone' | 'start' | 'end'>[],
  { segments }: Pick<ParsedReply, 'segments'>,
): ReadonlyMap<number, TakenCall> {
  const calls = segments.filter((segment) => segment.kind === 'call')
  const taken = new Map<number, TakenCall>()
  let at = 0
  for (const [index, { tone, start, end }] of items.entries()) {
    if (tone !== 'call') continue
    // Both are in the order of the text.
    while (at < calls.length && (calls[at]?.start ?? 0) < start) at += 1
    const call = calls[at]
    if (call && call.end <= end && call.standing === 'live' && call.problem === null)
      taken.set(index, { name: call.name, arguments: call.arguments })
  }
  return taken
}

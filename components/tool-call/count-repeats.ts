import type { Message } from '@/lib/chat/conversation'
import { canonicalJson } from '@/lib/strategies/canonical-json'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import type { MessageCall } from '@/lib/tool-calls/message-calls'

/** From here on the card says so. */
export const REPEATS_WARN = 3
/** From here on it runs by a click on its own card only. */
export const REPEATS_STOP = 5

/**
 * How often each call of a message was asked for (same tool, same arguments) since the user's last own word, itself
 * included: slot → count. `callsOf` reads an earlier reply of the path.
 */
export function countRepeats(
  path: readonly Message[],
  messageId: string,
  calls: readonly MessageCall[],
  callsOf: (messageId: string) => readonly CallToWrite[],
): ReadonlyMap<number, number> {
  const seen = new Map<string, number>()
  const at = path.findIndex((message) => message.id === messageId)
  for (let i = at - 1; i >= 0; i--) {
    const message = path[i]
    if (message?.role === 'user') {
      if (message.text !== '') break
    } else if (message) for (const call of callsOf(message.id)) add(seen, call)
  }
  return new Map(calls.map(({ slot, call }) => [slot, add(seen, call)]))
}

function add(seen: Map<string, number>, call: CallToWrite): number {
  const key = canonicalJson([call.name, call.arguments])
  const count = (seen.get(key) ?? 0) + 1
  seen.set(key, count)
  return count
}

const words = ['', 'once', 'twice', 'three times', 'four times', 'five times', 'six times', 'seven times']

export const timesWords = (count: number): string => words[count] ?? `${count} times`

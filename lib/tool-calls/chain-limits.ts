import type { AssistantMessage, Message } from '@/lib/chat/conversation'
import { canonicalJson } from '@/lib/strategies/canonical-json'
import type { MessageCall } from './message-calls'

/*
 * Guards against a model that goes round in circles. All of them count since the user's last word in one branch, are
 * pure, and give the same numbers on both sides.
 */

/** From this time on the card warns that the model asks for the very same thing. */
export const REPEATS_WARN = 3
/** From this time on the call never runs by itself, nor along with others. */
export const REPEATS_STOP = 5

/** Reads the calls of a finished reply as they stand. */
export type CallsOf = (message: AssistantMessage) => readonly MessageCall[]

/** Where the user's last word stands in the branch; -1 where there is none. */
const lastWordAt = (path: readonly Message[]): number =>
  path.findLastIndex((message) => message.role === 'user' && message.text !== '')

/** Rounds of tool results since the user's last word. `path`: root → any message of the branch. */
export const roundsSinceWord = (path: readonly Message[]): number =>
  path.slice(lastWordAt(path) + 1).filter((message) => message.role === 'user').length

/**
 * How often this very call (tool and arguments, as the model asked) stands in the branch since the user's last word, up
 * to and with itself: 1 at first, 0 for a call that is not there.
 */
export function repeatsOf(path: readonly Message[], callsOf: CallsOf, messageId: string, slot: number): number {
  const at = path.findIndex(({ id }) => id === messageId)
  if (at < 0) return 0
  const from = lastWordAt(path.slice(0, at + 1)) + 1
  const calls = path
    .slice(from, at + 1)
    .flatMap((message) =>
      message.role === 'assistant' && message.outcome === 'finished' ? callsIn(message, callsOf) : [],
    )
  const own = calls.find((call) => call.messageId === messageId && call.slot === slot)
  if (!own) return 0
  return calls.slice(0, calls.indexOf(own) + 1).filter(({ text }) => text === own.text).length
}

/**
 * True for a call that no rule and no grant may run: it was read by a guess at where its text ends, or it comes round
 * too often.
 */
export const onlyByClick = ({ call }: MessageCall, repeats: number): boolean =>
  call.repairs.includes('bare-quote') || repeats >= REPEATS_STOP

interface AskedCall {
  readonly messageId: string
  readonly slot: number
  readonly text: string
}

function callsIn(message: AssistantMessage, callsOf: CallsOf): readonly AskedCall[] {
  return callsOf(message).map(({ slot, asked, call }) => {
    const { name, arguments: args } = asked ?? call
    return { messageId: message.id, slot, text: canonicalJson([name, args]) }
  })
}

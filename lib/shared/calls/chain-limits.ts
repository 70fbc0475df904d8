import { english } from '@/lib/base/text/locale'
import type { ChatRow } from '@/lib/shared/conversation/chat-row'
import type { AssistantMessage, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { lastTextAt } from '@/lib/shared/conversation/outline'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { isReadForCalls } from './calls-of'
import { holdsMarks } from './foreign-marks'
import type { MessageCall } from './message-calls'
import type { CallSegment } from '@/lib/protocols/types/segment'

/**
 * Where a value ends was guessed, because quotation marks inside it were not escaped. Such a call is shown beside what was
 * written, and runs by a click on its own card only.
 */
export const isReadByGuess = (call: Pick<CallSegment, 'repairs'>): boolean => call.repairs.includes('bare-quote')

/*
 * Guards against a model that goes round in circles. All of them count since the user's last word in one branch, are
 * pure, and give the same numbers on both sides.
 */

/** From this time on the card warns that the model asks for the very same thing. */
export const REPEATS_WARN = 3
/** From this time on the call never runs by itself, nor along with others. */
export const REPEATS_STOP = 5

/** Calls that run at once where they run side by side; those behind them wait for their turn. */
export const CALLS_AT_ONCE = 4

/** What a model is told of a call that was closed because `limit` calls of its reply had run. Its card: `lib/i18n/en/cards.json`. */
export const limitReached = (limit: number): string =>
  `This call did not run: ${english.plural(limit, { one: 'one call', other: `${limit} calls` })} of one reply may run in this chat.`

/** Reads the calls of a finished reply as they stand. */
export type CallsOf = (message: AssistantMessage) => readonly MessageCall[]

/** Rounds of tool results since the user's last word. `path`: root → any message of the branch. */
export const roundsSinceWord = (path: readonly ChatRow[]): number =>
  path.slice(lastTextAt(path) + 1).filter((message) => message.role === 'user').length

/**
 * At each multiple of the limit the user has to say Continue, so that no mark of having continued needs to be kept: then how
 * many rounds it is, else 0. `path` ends with the reply whose calls are in question.
 */
export function roundsInQuestion(path: readonly ChatRow[], { maxIterations }: Pick<ToolCallConfig, 'maxIterations'>) {
  const rounds = roundsSinceWord(path)
  return rounds % maxIterations === 0 ? rounds : 0
}

/**
 * How often this very call (tool and arguments, as the model asked) stands in the branch since the user's last word, up
 * to and with itself: 1 at first, 0 for a call that is not there. All since that word must be here (`isTurnLoaded`).
 */
export const repeatsOf = (path: readonly ChatRow[], callsOf: CallsOf, messageId: string, slot: number): number =>
  repeatsIn(path, callsOf, messageId).get(slot) ?? 0

/** The same for every call of a message: slot → count. */
export function repeatsIn(path: readonly ChatRow[], callsOf: CallsOf, messageId: string): ReadonlyMap<number, number> {
  const at = path.findIndex(({ id }) => id === messageId)
  const seen = new Map<string, number>()
  const repeats = new Map<number, number>()
  if (at < 0) return repeats
  const from = lastTextAt(path.slice(0, at + 1)) + 1
  for (const message of path.slice(from, at + 1)) {
    if (!isReadForCalls(message)) continue
    for (const { slot, asked, call } of callsOf(message)) {
      const { name, arguments: args } = asked ?? call
      const text = canonicalJson([name, args])
      const count = (seen.get(text) ?? 0) + 1
      seen.set(text, count)
      if (message.id === messageId) repeats.set(slot, count)
    }
  }
  return repeats
}

/** Why a call waits for a click on its own card, whatever the rules and grants say; null: it need not. */
export type ClickReason = 'guess' | 'marks' | 'repeats'

/** It was read by a guess at where its text ends, it does not show what it is, or it comes round too often. */
export function clickReason({ call }: Pick<MessageCall, 'call'>, repeats: number): ClickReason | null {
  if (isReadByGuess(call)) return 'guess'
  if (holdsMarks(call)) return 'marks'
  return repeats >= REPEATS_STOP ? 'repeats' : null
}

/** True for a call that no rule and no grant may run, nor "Run all". */
export const onlyByClick = (target: Pick<MessageCall, 'call'>, repeats: number): boolean =>
  clickReason(target, repeats) !== null

import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { heldCallsText, type MarkedText } from '@/lib/i18n/invisible-text'
import { marksOf } from '@/lib/base/untrusted-text/foreign-text'
import { markContext, type TextKind, readingOfFile } from '@/lib/base/untrusted-text/mark'
import type { Coercion, CallSegment } from '@/lib/protocols/types/segment'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import { english } from '@/lib/base/text/locale'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { lastTextAt } from '@/lib/shared/conversation/outline'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { holdsPlaceholder } from '@/lib/shared/secrets/placeholders'
import { writesSkill } from '@/lib/shared/skills/skill-path'
import { type MessageCall, isReadForCalls } from './message-calls'

/*
 * Finds parts of a call that hide what it does. Pure, from the arguments only, and the same on both sides: the card
 * shows it, the browser asks by it, the server refuses by it. Keys and paths are read as names; a text as code, unless
 * it is for people: the content of a file that by its name contains prose, and texts of a call that names no file.
 */

/** Keys whose values are paths or addresses. */
const nameKeys =
  /^(?:.*_)?(?:path|paths|from|to|file|files|filename|folder|dir|directory|name|url|source|target|destination|glob|include|exclude)$/i
const codeKeys = /^(?:.*_)?(?:code|script|command|expression|pattern|regex|query_code)$/i

/** Enough to name; further ones add nothing. */
const MAX_MARKS = 1_000

const known = new WeakMap<JsonObject, readonly MarkedInCall[]>()

export interface MarkedInCall extends MarkedText {
  /** The argument that contains it, as a dotted path; '' for the tool’s name and dropped parts. */
  readonly at: string
  /** The mark with some characters on both sides. */
  readonly around: string
  readonly reading: TextKind
}

/** A call, with the changes made to it before it was checked. */
export type CallToJudge = CallToWrite & { readonly coercions?: readonly Coercion[] }

/** The marks in the name, the keys and the texts of a call, and in what was dropped from it; the first thousand. */
export function marksOfCall({ name, arguments: args, coercions = [] }: CallToJudge): readonly MarkedInCall[] {
  const found = known.get(args)
  if (found) return found
  const marked: MarkedInCall[] = []
  const texts: TextKind = namesOf(args).every((path) => readingOfFile(path) === 'prose') ? 'prose' : 'code'
  const add = (text: string, reading: TextKind, at: string) => {
    for (const mark of marksOf(text, reading)) {
      if (marked.length >= MAX_MARKS) return
      marked.push({ mark, text: text.slice(mark.start, mark.end), at, around: markContext(text, mark), reading })
    }
  }
  const walk = (value: JsonValue, reading: TextKind, at: string) => {
    if (typeof value === 'string') add(value, isPath(value) ? 'name' : reading, at)
    else if (Array.isArray(value)) for (const item of value) walk(item, reading, at)
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const inner = at === '' ? key : `${at}.${key}`
        add(key, 'name', inner)
        walk(member, nameKeys.test(key) ? 'name' : codeKeys.test(key) ? 'code' : reading, inner)
      }
    }
  }
  add(name, 'name', '')
  walk(args, texts, '')
  for (const coercion of coercions) {
    if ('key' in coercion && coercion.kind !== 'default-dropped') add(coercion.key, 'name', '')
    if (coercion.kind === 'key-dropped' && coercion.unseen !== undefined) add(coercion.unseen, 'prose', '')
  }
  known.set(args, marked)
  return marked
}

const isPath = (text: string): boolean => /^\.{0,2}\/[^\n]*$/.test(text)

/** The values under keys for paths, at any depth. */
function namesOf(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesOf)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    nameKeys.test(key) && typeof member === 'string' ? [member] : namesOf(member),
  )
}

/** The first mark of each part of a call: the card may show that part nowhere else. */
export function markedPlaces(call: CallToJudge): readonly MarkedInCall[] {
  const places = new Map<string, MarkedInCall>()
  for (const marked of marksOfCall(call)) if (!places.has(marked.at)) places.set(marked.at, marked)
  return [...places.values()]
}

export const holdsMarks = (call: CallToJudge): boolean => marksOfCall(call).length > 0

/** "It holds 3 invisible characters."; '' if everything is visible. */
export const marksSentence = (call: CallToJudge): string => heldCallsText(marksOfCall(call))

/**
 * The end of a value was guessed, because quotation marks inside it were not escaped. Such a call is shown beside the
 * original text, and runs only by a click on its own card.
 */
export const isReadByGuess = (call: Pick<CallSegment, 'repairs'>): boolean => call.repairs.includes('bare-quote')

/*
 * Guards against a model that repeats itself. All of them count since the user's last message in one branch, are pure,
 * and return the same numbers on both sides.
 */

/** From this repeat on the card warns that the model makes the same call again. */
export const REPEATS_WARN = 3
/** From this repeat on the call never runs automatically, nor together with others. */
export const REPEATS_STOP = 5

/** Calls that run at once if they run in parallel; the others wait for their turn. */
export const CALLS_AT_ONCE = 4

/**
 * What a model learns about a call that was closed because `limit` calls of its reply had run. The card's text:
 * `lib/i18n/en/cards.json`.
 */
export const limitReached = (limit: number): string =>
  `This call did not run: ${english.plural(limit, { one: 'one call', other: `${limit} calls` })} of one reply may run in this chat.`

/** Reads the current calls of a finished reply. */
type CallsOf = (message: AssistantMessage) => readonly MessageCall[]

/** Rounds of tool results since the user's last message. `path`: root → any message of the branch. */
export const roundsSinceUserMessage = (path: readonly ChatRow[]): number =>
  path.slice(lastTextAt(path) + 1).filter((message) => message.role === 'user').length

/**
 * At each multiple of the limit the user must click Continue, so that no flag for having continued is needed: then the
 * number of rounds, else 0. `path` ends with the reply whose calls are in question.
 */
export function roundsInQuestion(path: readonly ChatRow[], { maxIterations }: Pick<ToolCallConfig, 'maxIterations'>) {
  const rounds = roundsSinceUserMessage(path)
  return rounds % maxIterations === 0 ? rounds : 0
}

/**
 * How often the same call (tool and arguments, as the model asked) is in the branch since the user's last message,
 * including itself: 1 at first, 0 for a missing call. All messages since then must be loaded (`isTurnLoaded`).
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

/** Why a call needs a click on its own card, whatever the rules and grants say; null: it does not. */
export type ClickReason = 'guess' | 'marks' | 'secret' | 'origin' | 'repeats' | 'skill'

/**
 * The reason: the end of its text was guessed, it hides what it does, it runs with a value that the model has not seen,
 * a text from elsewhere asks for it and the user does not (`isUnasked`, from `lib/shared/origin`), it would change a
 * skill, which is a prompt, or it is repeated too often.
 */
export function clickReason(
  { call }: Pick<MessageCall, 'call'>,
  repeats: number,
  isUnasked = false,
): ClickReason | null {
  if (isReadByGuess(call)) return 'guess'
  if (holdsMarks(call)) return 'marks'
  if (holdsPlaceholder(call.arguments)) return 'secret'
  if (isUnasked) return 'origin'
  if (writesSkill(call)) return 'skill'
  return repeats >= REPEATS_STOP ? 'repeats' : null
}

/** True for a call that no rule, no grant and no "Run all" may run. */
export const onlyByClick = (...call: Parameters<typeof clickReason>): boolean => clickReason(...call) !== null

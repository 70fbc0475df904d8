import type { JsonObject, JsonValue } from '@/lib/base/json'
import { isReadForCalls } from '@/lib/shared/calls/message-calls'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import { sharedContentOf, type SharedContent } from './shared-content'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'

/*
 * The part of a waiting result that the model already got, as far as the rows of the chat tell: the beginnings of
 * attached files, earlier results, the user's text, and the model's own text. All branches count: text that was sent in
 * another one has left just the same.
 */

export interface SentBefore {
  /** Distinctive lines of the result: six letters or digits and more. What the call itself names does not count. */
  readonly lines: number
  /** How many of them were sent before; at least, if not every one was searched for. */
  readonly sent: number
  /** Every line was searched for, also within longer ones. */
  readonly isWhole: boolean
  /** No line of it, not even a short one, was sent before. */
  readonly isNew: boolean
  /** Files that the call is about and that were attached to a message, with the part that was sent. */
  readonly files: readonly { readonly path: string; readonly leaving: SharedContent }[]
}

/** The call whose result waits. `paths`: normal paths that it names. */
export interface AskedCall {
  readonly arguments: JsonObject
  readonly paths: readonly string[]
}

/** The most characters compared: lines times text. Beyond, lines are only searched for as whole lines. */
const MAX_WORK = 400_000_000
const MIN_SAID = 6

/** `messages`: all of the chat. `callsOf`: the current calls of a finished reply. */
export function sentBefore(
  result: JsonValue,
  asked: AskedCall,
  messages: Iterable<Message>,
  callsOf: (reply: AssistantMessage) => readonly CallToWrite[],
): SentBefore {
  const texts: string[] = []
  const files: { path: string; leaving: SharedContent }[] = []
  for (const message of messages) {
    texts.push(message.text)
    if (message.role === 'assistant') {
      // Parsed, because a text protocol may escape what the model meant.
      for (const call of isReadForCalls(message) ? callsOf(message) : []) texts.push(...textsIn(call.arguments))
      continue
    }
    for (const one of [...message.results, ...(message.late ?? [])]) texts.push(...textsIn(one.result), one.note ?? '')
    for (const attachment of message.attachments ?? []) {
      texts.push(attachment.head ?? '')
      const leaving = sharedContentOf(attachment)
      if (leaving.kind !== 'name' && asked.paths.includes(attachment.path)) {
        files.push({ path: attachment.path, leaving })
      }
    }
  }
  const echoed = new Set([...textsIn(asked.arguments)].flatMap(linesIn))
  const all = [...textsIn(result)].flatMap(linesIn).filter((line) => !echoed.has(line))
  const lines = all.filter(isDistinctive)
  const known = new Set(texts.flatMap(linesIn))
  const missing = lines.filter((line) => !known.has(line))
  const text = texts.join('\n')
  const isComplete = missing.length * text.length <= MAX_WORK
  const within = isComplete ? missing.filter((line) => text.includes(line)).length : 0
  return {
    lines: lines.length,
    sent: lines.length - missing.length + within,
    isWhole: isComplete,
    isNew: isComplete && within === 0 && all.length > 0 && !all.some((line) => known.has(line)),
    files,
  }
}

/** What is known of it, as sentences that follow the one with the size of the result. */
export function continuationText({ lines, sent, isWhole, isNew, files }: SentBefore): string {
  const sentences: string[] = []
  for (const { path, leaving } of files) {
    if (leaving.kind === 'text') {
      const { whole, bytes } = leaving
      sentences.push(t('gate.before.file', { path, whole, bytes }))
    } else if (leaving.kind === 'picture') sentences.push(t('gate.before.picture', { path }))
  }
  // Left out if nothing was sent: the sentence below says so.
  if (sentences.length > 0 || sent > 0 || !isNew) sentences.unshift(t('gate.before.not-sent'))
  if (sent > 0) {
    sentences.push(
      sent === lines ? t('gate.before.all', { lines }) : t('gate.before.some', { counted: isWhole, sent, lines }),
    )
  } else if (isNew) sentences.push(t('gate.before.new'))
  return t('gate.before', { said: sentences })
}

const linesIn = (text: string): readonly string[] =>
  text.split(/\r\n|[\n\r]/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

const isDistinctive = (line: string): boolean => (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_SAID

/** All texts in a value, without names of members. */
function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const one of value as readonly JsonValue[]) yield* textsIn(one)
  else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values(value as Readonly<Record<string, JsonValue>>)) yield* textsIn(one)
  }
}

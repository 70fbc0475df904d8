import { type JsonValue, isJsonObject, type JsonObject } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import type { StrategyFacts } from '@/lib/protocols/types/strategy-facts'
import {
  defaultStrategy,
  type CallToWrite,
  type StrategyId,
  type ToolExecuteStatus,
} from '@/lib/protocols/types/tool-context-def'
import { assertNever } from '@/lib/base/result'
import { deniedByReviewer } from '@/lib/shared/conversation/wire/call-requests'
import { textOfKey, type NameIn } from '@/lib/i18n/t'

/**
 * The facts about a strategy that the script needs: how to recognize its prompt, the format of its results, and its
 * use.
 */
export interface KnownStrategy extends Pick<
  StrategyFacts,
  'signature' | 'resultFrame' | 'offeredToolPattern' | 'inShort'
> {
  readonly id: StrategyId
}

export type FormatCalls = (strategy: StrategyId, calls: readonly CallToWrite[]) => string

/** A result as read from a strategy's frame. */
export interface SeenResult {
  readonly name: string
  readonly status: ToolExecuteStatus
  readonly result: JsonValue
}

/** What the script knows when it answers; all of it is read from the prompt. */
export interface Turn {
  /** The language of the user's last message, or of an earlier one if the last is only a command. */
  readonly language: Language
  /** The user's last message. */
  readonly task: string
  /** The user's message before that; '' at the start. */
  readonly previousTask: string
  /** Results since the last message, one list per message. The number of lists is the step of the scene. */
  readonly rounds: readonly (readonly SeenResult[])[]
  /** The strategy that the system prompt describes; null if none. */
  readonly strategy: StrategyId | null
  /** Names of the tools that the system prompt offers. */
  readonly tools: ReadonlySet<string>
  readonly known: readonly KnownStrategy[]
  readonly formatCalls: FormatCalls
}

/** Formats calls for the prompt's strategy. */
export const write = ({ strategy, formatCalls }: Turn, calls: readonly CallToWrite[]): string =>
  formatCalls(strategy ?? defaultStrategy, calls)

/** Calls as an example for people: native calls can't be written as text, so they take another form. */
export const writeExample = (turn: Turn, calls: readonly CallToWrite[]): string =>
  writesAsText(turn) ? write(turn, calls) : writeOtherDialect(turn, calls)

/** Whether this chat's calls are text of the reply, and not made beside it. */
export const writesAsText = (turn: Turn): boolean => turn.strategy === null || textForms(turn).includes(turn.strategy)

/**
 * Calls in the form of another strategy than the prompt's: the second strategy, or the first if the prompt uses the
 * second.
 */
export function writeOtherDialect(turn: Turn, calls: readonly CallToWrite[]): string {
  const [first, second] = textForms(turn)
  return turn.formatCalls((turn.strategy === second ? first : second) ?? defaultStrategy, calls)
}

const textForms = ({ known }: Turn): readonly StrategyId[] =>
  known.flatMap(({ id, signature }) => (signature === null ? [] : id))

export const lastRound = (turn: Turn): readonly SeenResult[] => turn.rounds.at(-1) ?? []

/*
 * The script's texts. It answers Chinese in Chinese; calls, paths, commands and the long reply are the same in both.
 * Each sentence is true of what the script does: what it names is read from the task, its calls or their results.
 */
export type DemoText = NameIn<'demo'>

export const demoReplies = (language: Language, word: DemoText, values: JsonObject = {}): string =>
  textOfKey(`demo.${word}`, values, language) ?? word

/** Whether the text is Chinese: one Chinese character is enough. */
export const isChinese = (text: string): boolean => /\p{sc=Han}/u.test(text)

const maxPiece = 320

/** Describes results: one sentence for those that succeeded, and for the others what to do next. */
export const describeResults = (results: readonly SeenResult[], language: Language): string =>
  results.map((result) => describeResult(result, language)).join('\n\n')

function describeResult({ name, status, result }: SeenResult, language: Language): string {
  const tool = `\`${name}\``
  const who = isJsonObject(result) && result['error'] === deniedByReviewer ? 'reviewer' : ''
  const say = (word: DemoText, reason = '') => demoReplies(language, word, { tool, who, reason: cut(reason, maxPiece) })
  switch (status) {
    case 'completed':
      return demoReplies(language, status, { tool, what: givenBack(result, language) })
    case 'result_rejected':
    case 'execution_rejected':
      return say(status, denialReason(result))
    case 'error':
    case 'not_found':
    case 'cancelled':
      return say(status, reasonOf(result))
    case 'interrupted':
    case 'unfinished':
    case 'skipped':
      return say(status)
    default:
      return assertNever(status)
  }
}

/** The error sentence in a failed or denied result; '' if there is none. */
function reasonOf(result: JsonValue): string {
  if (typeof result === 'string') return result.trim()
  if (!isJsonObject(result)) return ''
  for (const key of ['reason', 'error', 'message', 'note']) {
    const value = result[key]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return ''
}

/** Only the user's own reason; '' for a denial without one. */
const denialReason = (result: JsonValue): string => {
  const reason = isJsonObject(result) ? result['reason'] : undefined
  return typeof reason === 'string' ? reason.trim() : ''
}

/**
 * The result for use in a sentence; the card above shows all of it. Text that could be read as a call is only measured.
 */
function givenBack(result: JsonValue, language: Language): string {
  const inner = isJsonObject(result) ? innerOf(result) : result
  if (typeof inner === 'string') return isPlain(inner) ? `\`${inner}\`` : measured(inner, language)
  if (inner === null || typeof inner !== 'object') return `\`${String(inner)}\``
  if (Array.isArray(inner)) return demoReplies(language, 'items', { count: inner.length })
  const list = Object.entries(inner).find(([, member]) => Array.isArray(member))
  if (list) {
    const [name, { length: count }] = list as [string, readonly JsonValue[]]
    return isPlain(name)
      ? demoReplies(language, 'items_in', { count, name })
      : demoReplies(language, 'items', { count })
  }
  return demoReplies(language, 'values', { count: Object.keys(inner).length })
}

/** The content of code output or a file, otherwise the result itself. */
function innerOf(result: JsonObject): JsonValue {
  const { value, content } = result
  return value === undefined ? (content ?? result) : value
}

/** The longest text, in characters, that a sentence contains in full. */
const MAX_WORD = 60
/** Letters, digits and ordinary punctuation: no character that starts anything in any strategy. */
const isPlain = (text: string): boolean =>
  text.length <= MAX_WORD && /^[\p{L}\p{N}][\p{L}\p{N} .,;:!?%()+-]*$/u.test(text)

/** "12 lines of text", "a text of 812 characters". */
function measured(text: string, language: Language): string {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines > 1
    ? demoReplies(language, 'lines', { count: lines })
    : demoReplies(language, 'characters', { count: text.length })
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`

/** What is written if the user names no text. */
const ownLine = 'Hello from a script.'

/** Common phrases with the command that they mean; the first match counts. */
const sayings: readonly { readonly pattern: RegExp; readonly meant: (found: RegExpExecArray) => string }[] = [
  { pattern: /\b(?:endless|infinite|forever)\b|\bnever ends\b/i, meant: () => 'compute for (;;) {}' },
  { pattern: /\bbroken\b|\bcut[- ]off call\b/i, meant: () => 'a broken call' },
  { pattern: /\b(?:does(?: not|n['’]t) exist|no such tool|nonexistent|imaginary)\b/i, meant: () => 'an unknown tool' },
  {
    pattern: /\b(?:two|2|four|4|many|a few) (?:tool )?calls\b|\bseveral (?:tools|things)\b/i,
    meant: () => 'several calls',
  },
  { pattern: /\b(?:example|quoted)\b.*\bcall\b|\bquoted\b/i, meant: () => 'an example in a code block' },
  { pattern: /\blong (?:answer|message|story|text|one)\b/i, meant: () => 'a long reply' },
  { pattern: /\bthrow(?:s|ing)?\b|\bcode that fails\b/i, meant: () => `compute throw new Error('thrown on purpose')` },
  {
    pattern: /^(?:what(?:['’]s| is)|how much is)\s+([\d\s.+*/()%-]+?)\s*\??$/i,
    meant: (found) => `compute ${found[1] ?? ''}`,
  },
  {
    pattern: /\b(?:run|execute|try)\b.*?\b(?:code|javascript|js)\b\s*:?\s*([\s\S]*)$/i,
    meant: ([, code = '']) =>
      `compute ${/[=(;+*]/.test(code) ? code : '[3, 4].reduce((sum, side) => sum + side ** 2, 0) ** 0.5'}`,
  },
  {
    pattern: /\b(?:write|create|save|make|put)\b[\s\S]*(?:\bfile\b|\bnote\b|\/\w|\b\w+\.[a-z]{1,4}\b)/i,
    meant: ({ input }) => `write ${pathIn(input) ?? '/notes/hello.md'}: ${contentIn(input) ?? ownLine}`,
  },
  {
    pattern: /\b(?:read|open|show)\b[\s\S]*(?:\bfile\b|\/\w|\b\w+\.[a-z]{1,4}\b)/i,
    meant: ({ input }) => {
      const path = pathIn(input)
      return path === null ? 'List the files of this chat, and read the first one' : `read ${path}`
    },
  },
  { pattern: /\b(?:files?|folders?|director(?:y|ies))\b/i, meant: ({ input }) => `list files ${pathIn(input) ?? '/'}` },
]

const pathIn = (text: string): string | null => {
  const found = /(\/[\w./-]*\w)|\b(?:called|named)\s+["“'`]?([\w.-]*\w)|\b([\w-]+\.[a-z]{1,4})\b/i.exec(text)
  const path = found?.[1] ?? found?.[2] ?? found?.[3]
  return path === undefined ? null : path.startsWith('/') ? path : `/${path}`
}

const contentIn = (text: string): string | null =>
  /["“]([^"”]+)["”]/.exec(text)?.[1] ??
  /\b(?:with|saying|containing)\b(?: the)?(?: (?:text|words?|content))?:?\s+([\s\S]+)$/i.exec(text)?.[1] ??
  null

/** The command that a loosely worded request means, or null. The script still knows only its commands. */
export function commandFor(task: string): string | null {
  for (const { pattern, meant } of sayings) {
    const found = pattern.exec(task)
    if (found) return meant(found)
  }
  return null
}

import { foldToolName } from '@/lib/base/text/nearest-path'
import { hiddenKind } from '@/lib/base/untrusted-text/mark'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'

/** A part of a text compared with an earlier one. */
export interface WordChange {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Longer texts are shown as removed and added as a whole: the table for the comparison would be too large. */
const MAX_WORDS = 1_500

/**
 * The words of `after`, with the words of `before` that they replace. Joined without `removed` it is exactly `after`.
 */
export function wordDiff(before: string, after: string): readonly WordChange[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > MAX_WORDS || now.length > MAX_WORDS) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  }
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const next = (i + 1) * width
      common[i * width + j] =
        old[i] === now[j]
          ? (common[next + j + 1] ?? 0) + 1
          : Math.max(common[next + j] ?? 0, common[i * width + j + 1] ?? 0)
    }
  }
  const changes: { kind: WordChange['kind']; text: string }[] = []
  const put = (kind: WordChange['kind'], text: string | undefined) => {
    const last = changes.at(-1)
    if (text === undefined) return
    if (last?.kind === kind) last.text += text
    else changes.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      put('same', now[j])
      i += 1
      j += 1
    } else if (
      j >= now.length ||
      (i < old.length && (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      put('removed', old[i])
      i += 1
    } else {
      put('added', now[j])
      j += 1
    }
  }
  return changes
}

/** Words and the text between them; characters of scripts without spaces are separate. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/\p{Script=Han}|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []

/** Suspicious features of a tool's texts. */
export interface TextMarks {
  readonly givesOrder: boolean
  readonly namesTool: boolean
  readonly addressesUser: boolean
  /** A word mixes Latin letters with similar ones of another alphabet. */
  readonly looksAlike: boolean
  /** The number of invisible characters. */
  readonly hidden: number
}

/**
 * Sentences that direct the model beyond the use of this tool. Ordinary advice ("use this when", "must be absolute")
 * does not count.
 */
const orders = [
  /\b(?:ignore|disregard|override|forget)\s+(?:all|any|every|previous|prior|other|the|your)\b/i,
  /\bdo\s+not\s+(?:tell|mention|inform|reveal|ask|show|disclose|notify)\b/i,
  /\b(?:never|don['’]t)\s+(?:tell|mention|inform|reveal|ask|show|disclose|notify)\b/i,
  /\bbefore\s+(?:each|every|any)\b/i,
  /\b(?:always|first)\s+(?:call|invoke|run|read|send|include|add)\b/i,
  /\bwithout\s+(?:asking|telling|confirming|confirmation|permission|approval)\b/i,
  /\bsystem\s+prompt\b/i,
  /<\/?(?:important|system|instructions?|secret|admin)\b[^>]{0,200}>/i,
  /忽略(?:所有|之前|以上|其他|任何)|不要(?:告诉|提及|透露|询问)|每次.{0,12}(?:之前|前)|必须先|系统提示/,
]
const toUser = [
  /\b(?:the|your|from|to)\s+user\b.{0,40}\b(?:password|key|token|secret|credential)/i,
  /\b(?:tell|ask|inform|remind|notify|urge|convince)\s+the\s+(?:user|human)\b/i,
  /(?:告诉|请求|要求|提醒|通知)用户/,
]

/** Letters of other alphabets, each before the Latin one that it looks like. */
const twins = new Map(
  'аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅS'
    .match(/../g)
    ?.map((pair) => [pair.charAt(0), pair.charAt(1)]),
)

/** `others`: names of tools that are not this one, its server's and built-in ones. */
export function textMarks(tool: McpTool, others: readonly string[]): TextMarks {
  const text = textsOf(tool).join('\n')
  const plain = plainText(text)
  const named = namesIn(plain)
  return {
    givesOrder: orders.some((order) => order.test(plain)),
    namesTool: others.some((name) => name !== tool.name && isDistinct(name) && named.has(foldToolName(name))),
    addressesUser: toUser.some((order) => order.test(plain)),
    looksAlike: (text.match(/[\p{L}\p{M}]+/gu) ?? []).some(mixesAlphabets),
    hidden: Array.from(text).filter(isHidden).length,
  }
}

export const isMarked = ({ givesOrder, namesTool, addressesUser, looksAlike, hidden }: TextMarks): boolean =>
  givesOrder || namesTool || addressesUser || looksAlike || hidden > 0

const isHidden = (character: string): boolean => hiddenKind(character, 'prose') !== null

/** As a model may understand it: without invisible characters, and with similar letters replaced by plain ones. */
const plainText = (text: string): string =>
  Array.from(text.normalize('NFKC'), (character) =>
    isHidden(character) ? '' : (twins.get(character) ?? character),
  ).join('')

const mixesAlphabets = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && Array.from(word).some((letter) => twins.has(letter))

/** `echo` or `search` is also an ordinary word. */
const isDistinct = (name: string): boolean => /[a-z\d][_.\-/:][a-z\d]|[a-z][A-Z]/.test(name)

/** Possible names of tools, folded as readers fold them; a part of a longer one counts (`mcp__fs__read_file`). */
function namesIn(text: string): ReadonlySet<string> {
  const words = (text.match(/[\w.:/-]+/g) ?? []).flatMap((word) => [word, ...word.split(/[.:/]|__/)])
  return new Set(words.filter(isDistinct).map(foldToolName))
}

/** All texts of a tool that a model may read, those inside its schemas included. */
export function textsOf({ name, title, description, inputSchema, annotations }: McpTool): readonly string[] {
  // The title may be among the annotations, and it replaces a missing description.
  const hinted = stringsIn(annotations?.['title'] ?? null)
  return [name, title ?? '', ...hinted, description ?? '', ...stringsIn(inputSchema)].filter((text) => text !== '')
}

function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => stringsIn(one))
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, one]) => [key, ...stringsIn(one)]) : []
}

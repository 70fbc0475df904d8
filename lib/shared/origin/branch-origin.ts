import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { ToolFacts } from '@/lib/shared/calls/approval-policy'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { AssistantMessage, UserMessage } from '@/lib/shared/conversation/conversation'
import type { InnerCall, ToolResult } from '@/lib/shared/conversation/call-record'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { deniedByReviewer } from '@/lib/shared/conversation/wire/call-requests'
import { kindsOfWords, type TextKind } from './requests'
import type { CallToMark, LoudMark } from './origin-mark'
import { wordsOfName } from './text-index'

/*
 * The texts of a branch before a reply: the user's, and those from elsewhere. Both sides collect them with this
 * function from the same rows, so that the browser and the server mark the same calls.
 */

/** The source of a text that the user did not write. */
type OriginPlace =
  /** `path`: the file of the chat that the call read. */
  | {
      readonly kind: 'result'
      readonly messageId: string
      readonly slot: number
      readonly tool: string
      readonly path?: string
    }
  | { readonly kind: 'attachment'; readonly messageId: string; readonly path: string }
  | { readonly kind: 'imported'; readonly messageId: string }
  | { readonly kind: 'description'; readonly tool: string }

export type CallMarks = ReadonlyMap<number, CallMark>
export const noMarks: CallMarks = new Map()

/** A source, and the line of its text if it could be found. */
export type LinedPlace = OriginPlace & { readonly line?: number }

export interface CallMark {
  /** Null: the user asked for it, or no text did. */
  readonly loud: LoudMark<LinedPlace> | null
  /** Values that a text from elsewhere contains and the user's text does not. */
  readonly values: readonly { readonly value: string; readonly place: LinedPlace }[]
  /** The check failed or took too long: the call needs its own click, like one with a loud mark. */
  readonly isUnchecked?: true
}

/** The mark of a call whose origin could not be found out. */
export const uncheckedMark: CallMark = { loud: null, values: [], isUnchecked: true }

/**
 * A call that no rule and no grant may run: a text asked for it, and the user did not, or only by referring to that
 * text; or that is not known.
 */
export const isLoud = (mark: CallMark | null | undefined): boolean =>
  mark != null && (mark.loud !== null || mark.isUnchecked === true)
/** The same, unless the user told the model to follow that text: Run all may then run it. */
export const isLoudInBatch = (mark: CallMark | null | undefined): boolean =>
  isLoud(mark) && mark?.loud?.isFollowed !== true

export interface UntrustedText {
  /** The same text has the same key as long as its chat exists. */
  readonly key: string
  readonly place: OriginPlace
  readonly text: string
  /** The number of its first line in the file that it was read from. */
  readonly firstLine: number
  /** What the user may call it: the paths and addresses of the call that read it. */
  readonly names: readonly string[]
  /** What it is ("the mail"), unless another text of the branch is the same. */
  readonly kinds: readonly TextKind[]
  /** Values of the call itself, which its result repeats. */
  readonly repeats: readonly string[]
  /** It describes a tool, so only a sentence with a word like `must` or `always` gives an order. */
  readonly isDescription?: true
}

export interface BranchTexts {
  /** Oldest first. */
  readonly userTexts: readonly string[]
  /** Oldest first. */
  readonly untrusted: readonly UntrustedText[]
}

export interface BranchToRead {
  /** Root → the reply whose calls are marked. Rows without a loaded body are skipped. */
  readonly path: readonly ChatRow[]
  readonly callsOf: (message: AssistantMessage) => readonly MessageCall[]
  readonly toolOf: (name: string) => ToolFacts | undefined
  /** Tools that others described. */
  readonly registered: readonly Pick<RegisteredTool, 'name' | 'description'>[]
  /** Messages up to this time came from a file; left out: none. */
  readonly importedAt?: number | undefined
  /** The calls are tools that the code of this call calls. */
  readonly within?: CodeSoFar | undefined
}

/** A call whose code runs, and the tools that it has called by now. */
export interface CodeSoFar {
  readonly slot: number
  readonly calls: readonly InnerCall[]
}

/** What users call a file that they attach. */
const callsAttached = ['attached', 'attachment', '附件', 'angehängt', 'anhang', 'adjunt', 'en pièce', 'ci-joint']

/** How many of the newest messages are read. */
export const ORIGIN_MESSAGES = 160
/** Of each text its beginning, of all texts the newest, in characters. */
const MAX_TEXT = 256_000
const MAX_ALL = 1_000_000
const MAX_USER_TEXT = 200_000

export function branchTexts(branch: BranchToRead): BranchTexts {
  const { importedAt = -Infinity, registered, within } = branch
  const rows = branch.path.slice(0, -1).slice(-ORIGIN_MESSAGES).filter(isHere)
  const userTexts: string[] = []
  const untrusted: UntrustedText[] = registered.flatMap(descriptionOf)
  const repliesById = new Map(rows.map((row) => [row.id, row]))
  function addInner(messageId: string, slot: number, { n, attempt, name, arguments: args, outcome }: InnerCall): void {
    const tool = branch.toolOf(name)
    if (outcome === null || tool?.policy.findsTools) return
    const { status, result } = outcome
    if (tool?.policy.asksUser) userTexts.push(...writtenIn(result))
    else if (cameFromTool({ status })) {
      untrusted.push(resultText(`inner ${attempt} ${n}`, { messageId, slot, name, result }, tool, args))
    }
  }
  for (const row of rows) {
    const isImported = row.createdAt <= importedAt
    if (isImported && row.text !== '') untrusted.push(importedText(row))
    if (row.role === 'assistant') continue
    if (!isImported && row.text !== '') userTexts.push(row.text)
    for (const result of [...row.results, ...(row.late ?? [])]) {
      const tool = branch.toolOf(result.name)
      if (tool?.policy.asksUser) {
        if (!isImported) userTexts.push(...writtenIn(result.result))
        continue
      }
      const reviewed = reviewerReason(result)
      if (reviewed !== null) untrusted.push(resultText(row.id, { ...result, result: reviewed }, undefined, {}))
      // Its texts are the descriptions, which are read separately.
      if (tool?.policy.findsTools || !cameFromTool(result)) continue
      const reply = repliesById.get(result.messageId)
      const call =
        reply?.role === 'assistant' ? branch.callsOf(reply).find(({ slot }) => slot === result.slot) : undefined
      untrusted.push(resultText(row.id, result, tool, call?.call.arguments ?? {}))
    }
    for (const [at, { path, head }] of (row.attachments ?? []).entries()) {
      if (head === null) continue
      const place = { kind: 'attachment', messageId: row.id, path } as const
      const repeats = [path, baseName(path)]
      const names = [...repeats, ...callsAttached]
      const { kinds } = calledAs('read', [path])
      untrusted.push({ key: `${row.id} attachment ${at}`, place, text: head, firstLine: 1, names, kinds, repeats })
    }
  }
  const reply = branch.path.at(-1)
  if (reply && within) for (const inner of within.calls) addInner(reply.id, within.slot, inner)
  return {
    userTexts: newest(userTexts, MAX_USER_TEXT, (text) => text.length),
    untrusted: bounded(withOwnKinds(untrusted)),
  }
}

/** A branch without texts from elsewhere marks nothing; fast. */
export const holdsUntrusted = ({
  path,
  registered,
  importedAt,
  within,
}: Pick<BranchToRead, 'path' | 'registered' | 'importedAt' | 'within'>) =>
  registered.length > 0 ||
  within?.calls.some(({ outcome }) => outcome !== null) === true ||
  importedAt !== undefined ||
  path.some(
    (row) =>
      isHere(row) &&
      row.role === 'user' &&
      (row.results.length > 0 || (row.late ?? []).length > 0 || (row.attachments ?? []).length > 0),
  )

const descriptionOf = ({ name, description }: Pick<RegisteredTool, 'name' | 'description'>): readonly UntrustedText[] =>
  description === ''
    ? []
    : [
        {
          key: `description ${name} ${description}`,
          place: { kind: 'description', tool: name },
          text: description,
          firstLine: 1,
          names: [],
          kinds: [],
          repeats: [],
          isDescription: true,
        },
      ]

const importedText = ({ id, text }: Pick<UserMessage, 'id' | 'text'>): UntrustedText => ({
  key: `${id} text`,
  place: { kind: 'imported', messageId: id },
  text,
  firstLine: 1,
  names: [],
  kinds: [],
  repeats: [],
})

/** The reason of a reviewer, who is not the user; null: there is none. */
const reviewerReason = ({ status, result }: ToolResult): string | null =>
  status === 'execution_rejected' &&
  isJsonObject(result) &&
  result['error'] === deniedByReviewer &&
  typeof result['reason'] === 'string'
    ? result['reason']
    : null

/** Nod's own text about a call that did not run contains nothing foreign. */
const cameFromTool = ({ status }: Pick<ToolResult, 'status'>): boolean =>
  status === 'completed' || status === 'error' || status === 'cancelled'

function resultText(
  from: string,
  { messageId, slot, name, result }: Pick<ToolResult, 'messageId' | 'slot' | 'name' | 'result'>,
  tool: ToolFacts | undefined,
  args: JsonObject,
): UntrustedText {
  const paths = tool?.policy.paths?.(args) ?? []
  const [path] = tool?.policy.permission === 'public' && paths.length === 1 ? paths : []
  const values = Object.values(args).filter((value) => typeof value === 'string')
  return {
    key: `${from} ${messageId} ${slot}`,
    place: { kind: 'result', messageId, slot, tool: name, ...(path !== undefined && { path }) },
    ...textOf(result),
    ...calledAs(name, values, paths),
    repeats: values,
  }
}

/** `NOD-12`: a value that identifies something. */
const IDENTIFIER = /^\p{L}[\p{L}\d]*-\d+$/u

/** What the user may call the result of a call: by what it read, and by what that is. */
export function calledAs(
  tool: string,
  values: readonly string[],
  paths: readonly string[] = [],
): Pick<UntrustedText, 'names' | 'kinds'> {
  const named = [...new Set([...paths, ...values.flatMap(pathsIn)])].filter(
    (value) => (/[./]/.test(value) || IDENTIFIER.test(value)) && value.length < 400,
  )
  const words = wordsOfName(tool)
  const isPage = named.some((value) => /^https?:/.test(value))
  const files = isPage ? [] : named.filter((value) => /[./]/.test(value))
  const ofFiles = files.flatMap((value) => wordsOfName(baseName(value)))
  // A search finds several, and the answer to a sent mail is no mail.
  const isOne =
    files.length <= 1 && words.some((word) => /^(?:read|get|fetch|open|show|view|load|retrieve)$/.test(word))
  const kinds = isOne ? kindsOfWords([...words, ...ofFiles, ...(isPage ? ['http'] : [])]) : []
  return {
    names: [...new Set(named.flatMap((value) => [value, baseName(value)]))],
    kinds: isOne && files.length === 1 ? [...kinds, 'file'] : kinds,
  }
}

/** Of each text the kinds that no other one has; a file that was read twice is one text. */
function withOwnKinds(texts: readonly UntrustedText[]): readonly UntrustedText[] {
  const idOf = ({ key, names }: UntrustedText) => names[0] ?? key
  const owners = new Map<TextKind, Set<string>>()
  for (const text of texts) {
    for (const kind of text.kinds) owners.set(kind, (owners.get(kind) ?? new Set()).add(idOf(text)))
  }
  return texts.map((text) => ({ ...text, kinds: text.kinds.filter((kind) => owners.get(kind)?.size === 1) }))
}

const MAX_PATHS = 20

/** A value, or the files that code or a query names: the call read them. */
const pathsIn = (value: string): readonly string[] =>
  /\s|\(/.test(value)
    ? [...value.slice(0, 20_000).matchAll(/[\p{L}\p{N}_~-]*[./][\p{L}\p{N}_./~-]*\.[a-z]\w{0,5}(?!\w)/giu)]
        .slice(0, MAX_PATHS)
        .map(([path]) => path)
    : [value]

/** The content of a file first, so that its lines can be counted; then everything else, one member per line. */
function textOf(result: JsonValue): { readonly text: string; readonly firstLine: number } {
  if (!isJsonObject(result) || typeof result['content'] !== 'string') return { text: linesOf(result), firstLine: 1 }
  const { content, firstLine, ...rest } = result
  const more = linesOf(rest)
  return {
    text: more === '' ? content : `${content}\n${more}`,
    firstLine: typeof firstLine === 'number' ? firstLine : 1,
  }
}

function linesOf(value: JsonValue, key = ''): string {
  if (Array.isArray(value)) return joined(value.map((one) => linesOf(one, key)))
  if (isJsonObject(value)) return joined(Object.entries(value).map(([name, one]) => linesOf(one, name)))
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return key === '' ? String(value) : `${key}: ${value}`
}

const joined = (lines: readonly string[]): string => lines.filter((line) => line !== '').join('\n')

/** What the user typed in the form of a question; the choices are the model's text. */
const writtenIn = (result: JsonValue): readonly string[] =>
  isJsonObject(result) && typeof result['user_wrote'] === 'string' ? [result['user_wrote']] : []

const baseName = (path: string): string =>
  path
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .split('/')
    .at(-1) ?? path

const bounded = (texts: readonly UntrustedText[]): readonly UntrustedText[] =>
  newest(
    texts.map((one) => (one.text.length > MAX_TEXT ? { ...one, text: one.text.slice(0, MAX_TEXT) } : one)),
    MAX_ALL,
    ({ text }) => text.length,
  )

/** As many of the last items as fit together. */
function newest<Item>(items: readonly Item[], room: number, sizeOf: (item: Item) => number): readonly Item[] {
  let left = room
  const from = items.findLastIndex((item) => (left -= sizeOf(item)) < 0)
  return items.slice(from + 1)
}

/**
 * A call in the form for marking. Its class follows its tool's declaration: a harmless tool reads, one of ours that is
 * not harmless acts, and so does any other that does not declare itself read-only. Null: its tool asks the user or
 * finds tools, and is never marked.
 */
export function callToMark({ call }: Pick<MessageCall, 'call'>, tool: ToolFacts | undefined): CallToMark | null {
  if (tool?.policy.asksUser || tool?.policy.findsTools) return null
  const network = tool?.policy.capabilities?.network
  // An address can carry data out, so the web tools act.
  const isBuiltIn = network === 'off' || network === 'web'
  const effect =
    tool === undefined
      ? 'acts'
      : tool.policy.permission === 'public' ||
          (tool.policy.server !== undefined && tool.policy.permission === 'moderate')
        ? 'reads'
        : isBuiltIn
          ? 'acts'
          : 'unknown'
  return { name: call.name, arguments: call.arguments, effect, isBuiltIn }
}

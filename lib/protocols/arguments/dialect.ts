import type { JsonObject } from '@/lib/base/json'
import { makeTold } from '@/lib/i18n/t'
import type { ToolSpec } from '../types/tool-context-def'
import type { ToolIndex } from './tool-index'
import type { ArgumentIssue, BrokenReason, CallProblem, Coercion, RepairCode } from '../types/segment'
import type { Source } from '../text/source'
import type { WrittenNumbers } from '../json-repair/node'
import { coerceArguments } from './coerce'

/** A call as a dialect read it: matched, coerced and checked, but without its place in the message. */
export interface ReadCall {
  readonly ownId: string | null
  readonly name: string
  readonly arguments: JsonObject
  readonly repairs: readonly RepairCode[]
  readonly coercions: readonly Coercion[]
  readonly problem: CallProblem | null
}

export interface Breakage {
  readonly reason: BrokenReason
  readonly name?: string
  /** Offset where reading failed. */
  readonly at?: number
  /** What was wrong, for the message: "a comma or a closing bracket was expected". */
  readonly detail?: string
  /** The reply ends inside of it: it was cut off. */
  readonly inside?: true
  /** Its markup is whole: only what it says is wrong, and what is behind it is at its place. */
  readonly whole?: true
}

/** Offsets are relative to the source's window until the scanner commits them. */
export type Part =
  | { readonly kind: 'text'; start: number; end: number }
  | {
      readonly kind: 'call'
      start: number
      end: number
      readonly call: ReadCall
      readonly foreignAs?: string
      /** It is behind a damaged element of the same list or tag: it may be data of that element. */
      readonly quoted?: true
    }
  | { readonly kind: 'broken'; start: number; end: number; readonly breakage: Breakage }

export type Outcome =
  /** Calls and broken calls; the parts tile `[start, end)`. */
  | { readonly kind: 'parts'; readonly end: number; readonly parts: Part[]; readonly envelope?: boolean }
  /** A result frame that the model echoed or invented: text, and what follows is suspicious. `open`: it may continue behind `end`. */
  | { readonly kind: 'result'; readonly end: number; readonly open: boolean }
  /** Not a call; nothing up to `end` is worth another look of this dialect. `clean`: it is a value as it should be, so for no other either. */
  | { readonly kind: 'skip'; readonly end: number; readonly clean?: boolean }

export interface ReadContext {
  readonly tools: ToolIndex
  /** The dialect that is asked is the active strategy's own. */
  readonly own: boolean
  /** Inside a code fence that carries calls of this dialect. */
  readonly carrier: boolean
  /** In reasoning, a code block, a quotation: only a whole call counts, nothing is broken. */
  readonly quoted: boolean
  /** Nothing but white space and reasoning came before. */
  readonly opensReply: boolean
  /** True when the closing line of the fence around stands at `i`. */
  readonly isFenceEnd: (i: number) => boolean
}

/**
 * One way to write calls. `read` is asked at every character of `triggers` and answers null when no call of this dialect
 * begins there. It looks at the text only through the source, so that a look past the end is noticed.
 */
export interface Dialect {
  readonly id: string
  /** The strategy that reads this form as its own: there it is no foreign dialect. */
  readonly readBy?: string
  readonly triggers: string
  /** All its openers in lower case, where these are few: it is not asked where none of them begins. */
  readonly starts?: readonly string[]
  /** Letters at which it is asked only when they are the first of a line. */
  readonly lineTriggers?: string
  /** There it is asked only where nothing but reasoning came before, and at the beginning of a code block. */
  readonly onlyAtBeginning?: true
  /** Languages (lower case) of code fences whose content is a call rather than a quotation. */
  readonly fences: readonly string[]
  /** Where the value begins that a broken call leaves open, null when all have ended; left out: values are JSON. */
  readonly openValue?: (text: string) => number | null
  /** What a text holds that once opened, or closed, a call of this dialect, also where it is damaged. */
  readonly traces?: {
    readonly opener: RegExp
    readonly closer?: RegExp
    readonly loose?: boolean
    /** Whether a text, or a broken call, holds the end of a call that begins before it, beside what JSON tells. */
    readonly outerEnd?: (text: string) => boolean
    readonly endInBroken?: (text: string) => boolean
    /** Where calls are read that lost their opener: whether a text leaves one open, null when it holds none. */
    readonly leavesOpen?: (text: string) => boolean | null
  }
  /** Comment lines around a call in such a fence belong to the call. */
  readonly fenceComments?: boolean
  read(source: Source, start: number, context: ReadContext): Outcome | null
}

interface RawCall {
  readonly ownId: string | null
  readonly name: string
  readonly arguments: JsonObject
  readonly repairs: Iterable<RepairCode>
  readonly coercions?: readonly Coercion[]
  /** The digits of its numbers as they were written. */
  readonly written?: WrittenNumbers
  /** Names may also be a tool's `vcpCommand`. */
  readonly commands?: boolean
}

/** Matches the tool, fits the arguments to its schema, and says why the call can't run if it can't. */
export function finishCall(raw: RawCall, tools: ToolIndex): ReadCall {
  const repairs = new Set(raw.repairs)
  const coercions = [...(raw.coercions ?? [])]
  const match = tools.match(raw.name, { commands: raw.commands ?? false })
  if (!match) {
    const problem: CallProblem = { code: 'unknown-tool', nearest: tools.nearest(raw.name) }
    return { ownId: raw.ownId, name: raw.name, arguments: raw.arguments, repairs: [...repairs], coercions, problem }
  }
  if (match.normalised) repairs.add('name-normalised')
  const fitted = coerceArguments(raw.arguments, match.spec.parameters, raw.written)
  coercions.push(...fitted.coercions)
  const issues = [...fitted.issues, ...choiceIssues(match.spec, fitted.value)]
  const problem: CallProblem | null = match.spec.disabled
    ? { code: 'disabled-tool' }
    : issues.length > 0
      ? { code: 'invalid-arguments', issues }
      : null
  return {
    ownId: raw.ownId,
    name: match.spec.name,
    arguments: fitted.value,
    repairs: [...repairs],
    coercions,
    problem,
  }
}

/** Of parameters that exclude each other exactly one is given. An empty text counts as none: models fill in what they leave out. */
function choiceIssues({ oneOf = [] }: Pick<ToolSpec, 'oneOf'>, args: JsonObject): readonly ArgumentIssue[] {
  const given = oneOf.filter((key) => (args[key] ?? '') !== '')
  return oneOf.length === 0 || given.length === 1
    ? []
    : [{ path: '', ...makeTold('argument.exactly-one', { names: oneOf.map((name) => `\`${name}\``) }) }]
}

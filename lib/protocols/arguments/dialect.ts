import type { JsonObject } from '@/lib/base/json'
import { makeModelMessage } from '@/lib/i18n/t'
import type { ToolSpec } from '../types/tool-context-def'
import type { ToolIndex } from './tool-index'
import type { ArgumentIssue, BrokenReason, CallProblem, Coercion, RepairCode } from '../types/segment'
import type { Source } from '../text/source'
import type { WrittenNumbers } from '../json-repair/node'
import { coerceArguments } from './coerce'

/** A call as read by a dialect: matched, coerced and checked, but without its position in the message. */
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
  /** What was wrong, for the error message: "a comma or a closing bracket was expected". */
  readonly detail?: string
  /** The reply ends inside the call: it was cut off. */
  readonly inside?: true
  /** The call's markup is intact: only its content is wrong, so the text after it is read normally. */
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
      /** It follows a damaged element of the same list or tag, so it may be data of that element. */
      readonly quoted?: true
    }
  | { readonly kind: 'broken'; start: number; end: number; readonly breakage: Breakage }

export type Outcome =
  /** Calls and broken calls; the parts tile `[start, end)`. */
  | { readonly kind: 'parts'; readonly end: number; readonly parts: Part[]; readonly envelope?: boolean }
  /**
   * A result frame that the model echoed or invented. It is text, and what follows it is suspicious. `open`: the frame
   * may continue after `end`.
   */
  | { readonly kind: 'result'; readonly end: number; readonly open: boolean }
  /**
   * Not a call: this dialect need not read again up to `end`. `clean`: the range is a valid value, so no other dialect
   * needs to read it either.
   */
  | { readonly kind: 'skip'; readonly end: number; readonly clean?: boolean }

export interface ReadContext {
  readonly tools: ToolIndex
  /** The dialect belongs to the active strategy. */
  readonly own: boolean
  /** Inside a code fence whose language carries calls of this dialect. */
  readonly carrier: boolean
  /** In reasoning, a code block or a quotation: only a whole call counts, and nothing is reported as broken. */
  readonly quoted: boolean
  /** Only white space and reasoning came before. */
  readonly opensReply: boolean
  /** True if the closing line of the enclosing fence starts at `i`. */
  readonly isFenceEnd: (i: number) => boolean
}

/**
 * One way to write calls. The scanner calls `read` at every character in `triggers`; it returns null if no call of this
 * dialect begins there. `read` accesses the text only through the source, so that reading past the end is noticed.
 */
export interface Dialect {
  readonly id: string
  /** The strategy that reads this form itself: there it is not a foreign dialect. */
  readonly readBy?: string
  readonly triggers: string
  /** All openers in lower case, if they are few: the scanner skips this dialect where none of them begins. */
  readonly starts?: readonly string[]
  /** Trigger letters that count only at the beginning of a line. */
  readonly lineTriggers?: string
  /** At a line trigger, the dialect is tried only at the start of a code block or where only reasoning came before. */
  readonly onlyAtBeginning?: true
  /** Languages (lower case) of code fences that contain a call rather than a quotation. */
  readonly fences: readonly string[]
  /**
   * Where the value begins that a broken call leaves open, or null if all values have ended. Omitted: values are JSON.
   */
  readonly openValue?: (text: string) => number | null
  /** Traces of text that opened or closed a call of this dialect, even if it is damaged. */
  readonly traces?: {
    readonly opener: RegExp
    readonly closer?: RegExp
    readonly loose?: boolean
    /**
     * Whether a text, or a broken call, contains the end of a call that began before it, in addition to what JSON
     * shows.
     */
    readonly outerEnd?: (text: string) => boolean
    readonly endInBroken?: (text: string) => boolean
    /**
     * For dialects that read calls without their opener: whether a text leaves one open, or null if it contains none.
     */
    readonly leavesOpen?: (text: string) => boolean | null
  }
  /** Comment lines around a call in such a fence are part of the call. */
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

/** Matches the tool, fits the arguments to its schema and, if the call can't run, gives the reason. */
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

/**
 * Checks that exactly one of several mutually exclusive parameters is given. An empty string counts as absent, because
 * models fill in what they leave out.
 */
function choiceIssues({ oneOf = [] }: Pick<ToolSpec, 'oneOf'>, args: JsonObject): readonly ArgumentIssue[] {
  const given = oneOf.filter((key) => (args[key] ?? '') !== '')
  return oneOf.length === 0 || given.length === 1
    ? []
    : [{ path: '', ...makeModelMessage('argument.exactly-one', { names: oneOf.map((name) => `\`${name}\``) }) }]
}

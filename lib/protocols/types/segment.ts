import type { ModelMessage } from '@/lib/i18n/t'
import type { JsonObject } from '@/lib/base/json'

/**
 * The parts of a reply. The `[start, end)` ranges (UTF-16 offsets) of its segments tile its text exactly:
 * nothing the model wrote is lost or shown twice. See the shared rules in docs/reference/reading-rules.md.
 */
export type Segment = TextSegment | ReasoningSegment | CallSegment | BrokenSegment

interface Range {
  readonly start: number
  readonly end: number
}

export interface TextSegment extends Range {
  readonly kind: 'text'
  /** The text of the range, if it is prose in JSON (in a reply constrained by a schema) and not the text itself. */
  readonly said?: string
}

export interface ReasoningSegment extends Range {
  readonly kind: 'reasoning'
}

/** Only `live` calls may be offered with a plain Run. */
export type CallPlacement = 'live' | 'quoted' | 'foreign'

export interface CallSegment extends Range {
  readonly kind: 'call'
  /** The model's own id if present and unique in the message, else `call_N` by slot. Unique only within the message. */
  readonly id: string
  /** The tool's registered name if it matched, else the name as the model wrote it. */
  readonly name: string
  /** Coerced by the tool's schema; null-prototype, no prototype keys. */
  readonly arguments: JsonObject
  readonly standing: CallPlacement
  readonly verdict: 'ok' | 'repaired'
  readonly repairs: readonly RepairCode[]
  readonly coercions: readonly Coercion[]
  /** The strategy or foreign dialect of the call. */
  readonly dialect: string
  readonly problem: CallProblem | null
}

export type CallProblem =
  | { readonly code: 'unknown-tool'; readonly nearest: readonly string[] }
  | { readonly code: 'invalid-arguments'; readonly issues: readonly ArgumentIssue[] }
  | { readonly code: 'disabled-tool' }
  | { readonly code: 'duplicate' }

/** The end of a sentence that begins with the argument: "must be at least 1". */
export interface ArgumentIssue extends ModelMessage {
  /** Dotted path of the argument, '' for the whole object. */
  readonly path: string
}

export type BrokenReason =
  | 'truncated'
  | 'missing-end'
  | 'missing-name'
  | 'bad-json'
  | 'bad-arguments'
  | 'placeholder'
  | 'too-deep'
  /** Python with arguments that would have to be computed; only in foreign dialects. */
  | 'not-a-literal'

export interface BrokenSegment extends Range {
  readonly kind: 'broken'
  readonly reason: BrokenReason
  /** A message that can be sent to the model: what is wrong, where, and what a correct call looks like. */
  readonly message: string
  /** The tool that was meant, if it could be read. */
  readonly name?: string
  /** Offset in the reply where reading failed; equals `end` if the text just stops. */
  readonly at?: number
  /** The foreign dialect of the call; omitted: the strategy of the reply. */
  readonly dialect?: string
}

/** Repairs change only syntax, and are always named. Their texts are the messages `repair.…`. */
export type RepairCode =
  | 'trailing-comma'
  | 'missing-comma'
  | 'missing-colon'
  | 'missing-quote'
  | 'raw-newline'
  | 'single-quotes'
  | 'unquoted-key'
  | 'comment'
  | 'python-literal'
  | 'smart-quote'
  | 'full-width-punctuation'
  | 'missing-bracket'
  | 'extra-bracket'
  | 'missing-closer'
  | 'wrong-closer'
  | 'missing-opener'
  | 'bad-escape'
  | 'bare-quote'
  | 'double-encoded'
  | 'alias-key'
  | 'flattened-arguments'
  | 'nested-envelope'
  | 'unwrapped'
  | 'name-normalised'
  | 'duplicate-key'
  | 'doubled-braces'
  | 'string-concatenation'
  | 'triple-quotes'
  | 'backtick-string'
  | 'noise'
  | 'invisible-characters'
  | 'non-finite-number'
  | 'ellipsis'
  | 'tag-case'
  | 'tag-attributes'
  | 'entities'
  | 'cdata'
  | 'child-elements'
  | 'fenced-body'
  | 'bare-body'
  | 'missing-fence'
  | 'json-body'
  | 'marker-variant'
  | 'quote-token'
  | 'raw-value'

/** A value or key that was changed to fit the tool's schema. Their texts for the card are the messages `coercion.…`. */
export type Coercion = { readonly path: string } & (
  | { readonly kind: 'to-number' | 'to-integer' | 'to-boolean' | 'to-string'; readonly became: string }
  | { readonly kind: 'to-array'; readonly from: 'text' | 'wrapped' | 'single' }
  | { readonly kind: 'to-object' | 'to-null' | 'big-integer-kept' }
  /** `key` as written; `by`: whose name for the parameter it is. */
  | { readonly kind: 'key-mapped'; readonly key: string; readonly to: string; readonly by: 'schema' | 'vcp' }
  | {
      readonly kind: 'key-dropped'
      readonly key: string
      readonly because: 'no-parameter' | 'not-allowed'
      /** The first part of the dropped text that is invisible, with the letters beside it. */
      readonly unseen?: string
    }
  | { readonly kind: 'default-dropped'; readonly key: string; readonly was: 'null' | 'empty' }
)

export interface ParsedReply {
  readonly type: 'tool_call' | 'mixed' | 'text'
  readonly segments: readonly Segment[]
}

/** A parsed reply for printing and copying: every segment with its raw text. */
export function replyAsJson(text: string, { type, segments }: ParsedReply) {
  return {
    type,
    segments: segments.map(({ kind, start, end, ...rest }) => ({
      kind,
      start,
      end,
      text: text.slice(start, end),
      ...rest,
    })),
  }
}

let failing = false

/** Makes a reply whose segments do not tile its text an error from now on: for tests and fuzzers. */
export function failOnGaps(): void {
  failing = true
}

/** Where segments do not follow one another from 0 to `length`; null if they tile it. */
export function findGap(segments: readonly Segment[], length: number): string | null {
  let at = 0
  for (const { kind, start, end } of segments) {
    if (start !== at || end <= at) return `${kind} [${start}, ${end}) follows ${at}`
    at = end
  }
  return at === length ? null : `the segments end at ${at} of ${length}`
}

/**
 * Ensures that every character of a reply belongs to exactly one segment, so that a bug in a reader loses no text:
 * uncovered text becomes a text segment, and overlapping text belongs to the first segment.
 */
export function tiled(segments: readonly Segment[], length: number): readonly Segment[] {
  const gap = findGap(segments, length)
  if (gap === null) return segments
  if (failing) throw new Error(`The segments of a reply do not tile it: ${gap}`)
  const result: Segment[] = []
  let at = 0
  const textUpTo = (end: number) => {
    if (end > at) result.push({ kind: 'text', start: at, end })
    at = Math.max(at, end)
  }
  for (const segment of segments) {
    textUpTo(Math.min(segment.start, length))
    const end = Math.min(segment.end, length)
    if (end <= at) continue
    result.push({ ...segment, start: at, end })
    at = end
  }
  textUpTo(length)
  return result
}

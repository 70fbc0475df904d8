import { failedPart } from '../arguments/call-part'
import type { Outcome, Part, ReadCall, ReadContext } from '../arguments/dialect'
import type { JsonNode } from '../json-repair/node'
import { type JsonReading, RepairIndex } from '../json-repair/json-reading'
import type { RepairCode } from '../types/segment'
import type { Source } from '../text/source'
import { absorbBrackets, bracketFollows, breakCall, brokenEnd, structureContinues, withRepair } from './json-tail'

/** The calls of one JSON value that could be read. */
export interface CallList {
  readonly reading: JsonReading
  /** The complete items. */
  readonly items: readonly JsonNode[]
  /** The item in which reading stopped. */
  readonly open: JsonNode | null
  /** Reading stopped before the list was complete. */
  readonly cut: boolean
  /** Where the last complete item ends, including the bracket that closes the list. */
  readonly end: number
  /** The items were decoded from a string: their offsets are not those of the reply. */
  readonly decoded: boolean
  /** The last item is a string: the key of something in the call before it. */
  readonly endsInKey: boolean
  /** Keys follow the list: after a misplaced bracket they may belong to the call before. */
  readonly continues: boolean
  /** The repairs needed for one of the items, in display order. */
  readonly codes: (own: ReadonlySet<RepairCode>, isLast: boolean) => Set<RepairCode>
  readonly read: (item: JsonNode, start: number, end: number, codes: Set<RepairCode>) => Part
  readonly nameOf: (item: JsonNode | null) => string | undefined
}

/**
 * Reads the parts of a list. A list that was cut off keeps its complete elements; a list whose end is doubtful loses
 * the last one.
 */
export function readCallList(source: Source, start: number, list: CallList, context: ReadContext): Outcome | null {
  const { reading, items, open, cut } = list
  const { failure } = reading
  const parts = itemParts(source, start, list)
  const outcome = (end: number): Outcome => ({ kind: 'parts', end, parts, envelope: true })
  if (!failure || !cut) {
    if (parts.length === 0) return null
    absorbBrackets(source, parts)
    const end = parts.at(-1)?.end ?? reading.end
    const displaced = reading.crossed !== null && (failure !== null || list.continues)
    if (displaced || structureContinues(source, end)) parts.push(...breakCall(parts.pop()))
    return outcome(end)
  }
  const mayHaveEnded = open === null && items.length > 0 && !list.decoded
  const from = parts.at(-1)?.end ?? start
  // Complete elements followed by plain prose: the list just lost its bracket.
  if (mayHaveEnded && failure.reason === 'bad-json') {
    if (structureContinues(source, from) || list.endsInKey) breakLastCall(parts)
    else mendLastCall(parts)
    return outcome(from)
  }
  const end = brokenEnd(source, start, failure.at, failure.reason === 'truncated', context)
  // A list that ends after an element, with no sign of another one, has lost nothing.
  if (mayHaveEnded && source.text.slice(from, end).trim() === '') {
    if (list.endsInKey) breakLastCall(parts)
    return outcome(from)
  }
  parts.push(failedPart(from, end, failure, list.nameOf(open)))
  return outcome(end)
}

const AROUND: readonly RepairCode[] = ['missing-comma', 'missing-bracket']

function itemParts(source: Source, start: number, { reading, items, cut, end: listEnd, ...list }: CallList): Part[] {
  const repairs = new RepairIndex(reading.repairs)
  const parts: Part[] = []
  for (const [i, item] of items.entries()) {
    const from = parts.at(-1)?.end ?? start
    const isLast = i === items.length - 1
    const end = isLast ? listEnd : list.decoded ? from + 1 : item.end
    const own = list.decoded ? repairs.between(0, Infinity) : repairs.between(from, isLast && !cut ? Infinity : end)
    // Damage outside a whole call makes nothing inside doubtful: a missing comma before it, or the list's bracket.
    const inside = list.decoded || !item.closed ? own : repairs.between(item.start + 1, item.end + 1)
    const around = AROUND.filter((code) => own.has(code) && !inside.has(code))
    const codes = list.codes(new Set([...own].filter((code) => !around.includes(code))), isLast)
    if (isLast && !cut && bracketFollows(source, end)) codes.add('extra-bracket')
    const part = list.read(item, from, end, codes)
    // A string's quotes were guessed, and the reading fails after it: it may have ended elsewhere.
    if (reading.failure && own.has('bare-quote')) parts.push(...breakCall(part))
    else
      parts.push(
        part.kind === 'call'
          ? { ...part, call: around.reduce((call, code) => withRepair(call, code), part.call) }
          : part,
      )
  }
  return settleParts(parts, isDamaged(reading))
}

/** Characters that were added or reinterpreted: the text after them may be at another depth. */
const DEPTH: ReadonlySet<RepairCode> = new Set([
  'missing-comma',
  'missing-colon',
  'missing-quote',
  'missing-bracket',
  'extra-bracket',
  'doubled-braces',
  'bare-quote',
  'duplicate-key',
])

/** Whether the depth of what is in a JSON value is a guess. */
export const isDamaged = ({ failure, guessed, crossed, repairs }: JsonReading): boolean =>
  failure !== null || guessed || crossed !== null || repairs.some(({ code }) => DEPTH.has(code))

/**
 * The elements after one with damaged brackets or quotes have an unknown depth: they may be its data. If only its
 * content is wrong, they are calls.
 */
export function settleParts(parts: readonly Part[], damaged: boolean): Part[] {
  const doubtful = parts.findIndex(
    (part) => part.kind === 'broken' || (part.kind === 'call' && isUselessRepair(part.call)),
  )
  return parts.map((part, i) => {
    if (part.kind === 'broken') return damaged ? part : { ...part, breakage: { ...part.breakage, whole: true } }
    return part.kind === 'call' && damaged && doubtful >= 0 && i > doubtful ? { ...part, quoted: true } : part
  })
}

/** The call was repaired and still does not fit its tool: the lost character was elsewhere. */
const isUselessRepair = ({ problem, repairs }: ReadCall): boolean =>
  problem !== null && repairs.some((code) => DEPTH.has(code))

/**
 * Whether the text may follow JSON with guessed quotes: the end of its fence, the end of the reply, markup, or prose on
 * another line. More structure means that the string continues.
 */
export function endsGuess(source: Source, i: number, afterNewline: boolean, context: ReadContext): boolean {
  if (context.carrier) return context.isFenceEnd(i)
  const unit = source.at(i)
  if (unit < 0) return true
  const sign = String.fromCharCode(unit)
  return '`<{[~'.includes(sign) || (afterNewline && !'"\'},:]'.includes(sign))
}

function breakLastCall(parts: Part[]): void {
  const at = parts.findLastIndex((part) => part.kind === 'call')
  if (at >= 0) parts.splice(at, 1, ...breakCall(parts[at]))
}

function mendLastCall(parts: Part[]): void {
  const last = parts.at(-1)
  if (last?.kind === 'call') parts[parts.length - 1] = { ...last, call: withRepair(last.call, 'missing-bracket') }
}

/** The outcome for an object that is a result; one that breaks off may contain anything that follows. */
export function resultOf({ failure, end }: JsonReading, start: number): Outcome {
  return failure
    ? { kind: 'result', end: Math.max(start + 1, failure.resume), open: true }
    : { kind: 'result', end, open: false }
}

/** Only the outermost object counts: text that was certainly inside it is not read again. */
export function skipObject(reading: JsonReading, context: ReadContext): Outcome | null {
  const { failure, repairs, end, sure = end } = reading
  // Text that a guess included in a string may be anything, even a call.
  if (!failure) return { kind: 'skip', end: Math.min(end, sure), clean: repairs.length === 0 }
  return context.quoted || context.carrier ? null : { kind: 'skip', end: failure.resume }
}

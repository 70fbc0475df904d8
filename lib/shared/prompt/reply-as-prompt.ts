import type { AssistantMessage, ReplyOutcome } from '@/lib/shared/conversation/conversation'
import {
  brokenCallPhrases,
  callWords,
  cutInventedResult,
  defuse,
  isPlainName,
  placementTexts,
  unfence,
} from './plain-words'
import type { JsonObject } from '@/lib/base/json'
import { framesAsText, splitFrame } from '@/lib/protocols/framed-calls/frame'
import { assertNever } from '@/lib/base/result'
import { isPromotedSlot, promotedSlot, isReadForCalls } from '@/lib/shared/calls/message-calls'
import type { CallSegment, ParsedReply, Segment } from '@/lib/protocols/types/segment'
import {
  type CallToWrite,
  type StrategyId,
  type ToolContextDef,
  type ToolSpec,
  formOf,
  type ReplyForm,
} from '@/lib/protocols/types/tool-context-def'
import type { ReplyReadings, ReadingOptions } from './reply-readings'

/** The part of the ToolContextBuilder that this file needs. */
export interface ReplyReader {
  get(form: ReplyForm): ToolContextDef
  /** For texts rewritten here: replies themselves are read from the cache. */
  parseResponse(form: ReplyForm, text: string, tools: readonly ToolSpec[]): ParsedReply
}

/** With tools off no call is shown as one; calls that the user promoted are shown as calls. */
export interface ReplyContext extends ReadingOptions {
  readonly reader: ReplyReader
  readonly readings: ReplyReadings
}

const notes: Record<Exclude<ReplyOutcome, 'finished'>, string> = {
  stopped: '(stopped by the user)',
  failed: '(the reply broke off here: the model failed)',
  length: '(the reply broke off here: it was too long)',
  interrupted: '(the reply broke off here: the server was interrupted)',
}

/**
 * A stored reply as the prompt shows it, '' if there is nothing to show. Written under the current strategy: unchanged,
 * without reasoning. Under another: its live calls rewritten in place, the rest as text. Not finished: its calls never
 * count, so they are text too, and a note says how it ended.
 */
export function replyAsPrompt(message: AssistantMessage, context: ReplyContext): string {
  if (message.unreadable === 'whole') return '(this reply can no longer be read)'
  const counts = message.outcome === 'finished'
  const body = message.toolsEnabled
    ? context.readings.asPrompt(message, context, () => rewrite(message, context, counts))
    : defuse(framesAsText(message.text), null)
  // A reply that failed before its first token still separates two questions, which would otherwise read as one.
  if (body.trim() === '') return counts ? '' : notes[message.outcome ?? 'interrupted']
  return counts ? body : `${body.trimEnd()}\n\n${notes[message.outcome ?? 'interrupted']}`
}

/** A live call of a reply, for a provider with its own form for calls. */
export interface ReplyCall {
  /** Counts the live calls of the reply from 0; promoted ones have their own range (`promotedSlot`). */
  readonly slot: number
  readonly name: string
  readonly arguments: JsonObject
  /** As in the stored reply. */
  readonly raw: string
}

/** A stored reply as text and, if it finished, its live calls separately. */
export function replyInParts(
  message: AssistantMessage,
  context: ReplyContext,
): { readonly text: string; readonly calls: readonly ReplyCall[] } {
  if (context.strategy === null || !isReadForCalls(message)) return { text: replyAsPrompt(message, context), calls: [] }
  const calls: ReplyCall[] = []
  const text = render(message, readReply(message, context), context, true, 'rewritten', calls)
  return { text: text.trim() === '' ? '' : text, calls }
}

/**
 * `stored`: as the model wrote it. `rewritten`: live calls by the strategy's own writer, the rest as text. `bare`: also
 * without code fences around anything.
 */
type Form = 'stored' | 'rewritten' | 'bare'

/** If removed text had quoted the remaining text, or the other way round, the next simpler form is used. */
function rewrite(message: AssistantMessage, context: ReplyContext, counts: boolean): string {
  const { reader, strategy, tools } = context
  const read = readReply(message, context)
  const formatReply = strategy === null ? undefined : reader.get(strategy).formatReply
  if (formatReply) return inJson(message, read, context, counts, formatReply)
  if (!counts || strategy === null) return render(message, read, context, counts, 'rewritten')

  const wanted = callsIn(read.segments)
  const isUnchangedForm = formOf(message) === strategy && !read.hasPromoted
  const forms: readonly Form[] = isUnchangedForm ? ['stored', 'rewritten', 'bare'] : ['rewritten', 'bare']
  let text = ''
  for (const form of forms) {
    text = render(message, read, context, counts, form)
    if (text === message.text || callsIn(reader.parseResponse(strategy, text, tools).segments) === wanted) break
  }
  return text
}

interface ReadReply {
  readonly segments: readonly Segment[]
  /** The start of each call that the model itself made live → its slot. */
  readonly slots: ReadonlyMap<number, number>
  readonly hasPromoted: boolean
}

/**
 * Parses a reply, with the calls that the user lifted out of a quotation, another dialect or damage as live ones: they
 * were answered like calls, so the model must see them as calls.
 */
function readReply(message: AssistantMessage, { readings, tools, amendments = [] }: ReplyContext): ReadReply {
  const { segments } = readings.parse(message, tools)
  const slots = slotsOf(segments)
  const lifts = new Map(
    amendments
      .filter(({ messageId, slot }) => messageId === message.id && isPromotedSlot(slot))
      .map(({ slot, call }) => [slot, call]),
  )
  if (lifts.size === 0 || message.outcome !== 'finished') return { segments, slots, hasPromoted: false }
  const withPromoted = segments.map((segment): Segment => {
    const call = lifts.get(promotedSlot(segment.start))
    if (call === undefined) return segment
    if (segment.kind === 'call') return { ...segment, ...call, standing: 'live' }
    return segment.kind === 'broken' && call ? asCall(segment, call) : segment
  })
  return { segments: withPromoted, slots, hasPromoted: true }
}

const asCall = ({ start, end }: Segment, call: CallToWrite): CallSegment => ({
  kind: 'call',
  start,
  end,
  id: `lifted_${start}`,
  ...call,
  standing: 'live',
  verdict: 'repaired',
  repairs: [],
  coercions: [],
  dialect: '',
  problem: null,
})

const isLiveCall = (segment: Segment): segment is CallSegment => segment.kind === 'call' && segment.standing === 'live'
const callsIn = (segments: readonly Segment[]): string =>
  JSON.stringify(
    segments
      .filter(isLiveCall)
      .filter(({ name }) => isPlainName(name))
      .map((call) => [call.name, call.arguments]),
  )

function render(
  message: AssistantMessage,
  { segments, slots }: ReadReply,
  context: ReplyContext,
  counts: boolean,
  form: Form,
  apart: ReplyCall[] | null = null,
): string {
  const live = counts && context.strategy !== null
  const asStored = form === 'stored'
  const output = new Pieces()
  let calls: CallToWrite[] = []
  let hadCall = false
  let invented = false

  const flushCalls = () => {
    if (calls.length > 0 && context.strategy !== null) {
      output.block(context.reader.get(context.strategy).formatCalls(calls))
    }
    calls = []
  }
  for (const segment of withoutReasoning(segments)) {
    const raw = message.text.slice(segment.start, segment.end)
    if (isLiveCall(segment) && live && !asStored && isPlainName(segment.name)) {
      const slot = slots.get(segment.start) ?? promotedSlot(segment.start)
      if (apart) apart.push({ slot, name: segment.name, arguments: segment.arguments, raw })
      else calls.push({ name: segment.name, arguments: segment.arguments })
      hadCall = true
      continue
    }
    // White space between two calls belongs to the protocol, not to the prose.
    if (calls.length > 0 && segment.kind === 'text' && raw.trim() === '') continue
    flushCalls()
    if (segment.kind === 'text') {
      const words = segment.said ?? raw
      const prose = hadCall ? cutInventedResult(words) : words
      invented ||= prose !== words
      const defused = defuse(form === 'bare' ? unfence(prose) : prose, asStored ? message.strategy : null)
      if (segment.said === undefined) output.prose(defused)
      else output.block(defused)
    } else if (asStored && followsForm(segment, message.strategy, invented)) {
      // A broken call may have swallowed anything; the arguments of a complete one are data and stay.
      output.prose(segment.kind === 'broken' ? defuse(raw, message.strategy) : raw)
    } else output.block(segmentWords(segment, counts, raw))
    hadCall ||= segment.kind !== 'text'
  }
  flushCalls()
  return output.text()
}

/**
 * A reply for a prompt in whose form prose is JSON, too. Unchanged if it is such a reply and nothing in it must change.
 */
function inJson(
  message: AssistantMessage,
  { segments, hasPromoted }: ReadReply,
  context: ReplyContext,
  counts: boolean,
  formatReply: NonNullable<ToolContextDef['formatReply']>,
): string {
  const parts: (string | CallToWrite)[] = []
  let isAsWritten = counts && !hasPromoted && formOf(message) === context.strategy && /^\s*[[{]/.test(message.text)
  let hadCall = false
  for (const segment of withoutReasoning(segments)) {
    const raw = message.text.slice(segment.start, segment.end)
    if (isLiveCall(segment) && counts && isPlainName(segment.name)) {
      parts.push({ name: segment.name, arguments: segment.arguments })
      hadCall = true
      continue
    }
    const decoded = segment.kind === 'text' ? (segment.said ?? null) : null
    const words =
      segment.kind === 'text'
        ? defuse(hadCall ? cutInventedResult(decoded ?? raw) : (decoded ?? raw), null)
        : segmentWords(segment, counts, raw)
    isAsWritten &&= decoded === words || (decoded === null && raw.trim() === '')
    if (words.trim() !== '') parts.push(words.trim())
  }
  return isAsWritten ? message.text : parts.length === 0 ? '' : formatReply(parts)
}

const slotsOf = (segments: readonly Segment[]): ReadonlyMap<number, number> =>
  new Map(segments.filter(isLiveCall).map(({ start }, slot) => [start, slot]))

type SpokenSegment = Exclude<Segment, { kind: 'reasoning' }>

/** Also leaves out calls inside reasoning, which would look live without it. */
function withoutReasoning(segments: readonly Segment[]): readonly SpokenSegment[] {
  return segments.filter((segment, index): segment is SpokenSegment => {
    if (segment.kind === 'reasoning') return false
    if (segment.kind !== 'call' || segment.standing !== 'quoted') return true
    const next = segments[index + 1]
    return segments[index - 1]?.kind !== 'reasoning' || (next !== undefined && next.kind !== 'reasoning')
  })
}

/**
 * Under the same strategy everything but other dialects stays as the model wrote it. Calls after an invented result
 * were quoted by it, and it is removed from the prompt.
 */
const followsForm = (segment: SpokenSegment, strategy: StrategyId, invented: boolean): boolean =>
  segment.kind === 'broken' || (segment.kind === 'call' && segment.dialect === strategy && !invented)

function segmentWords(segment: Exclude<SpokenSegment, { kind: 'text' }>, counts: boolean, raw: string): string {
  switch (segment.kind) {
    case 'broken':
      return callWords(segment.name, brokenCallPhrases[segment.reason] + frameWords(raw))
    case 'call':
      return callWords(segment.name, callRest(segment, counts))
    default:
      return assertNever(segment)
  }
}

/** The arguments of a native call that could not be read, so that the model can write them again. */
function frameWords(raw: string): string {
  const written = splitFrame(raw)?.argumentsText.trim() ?? ''
  return written === '' ? '' : `; its arguments were: ${defuse(written, null)}`
}

function callRest(segment: CallSegment, counts: boolean): string {
  if (segment.standing !== 'live') return placementTexts[segment.standing]
  return counts ? ` with ${defuse(JSON.stringify(segment.arguments), null)}` : '; it did not run'
}

/** Joins prose unchanged, and blocks with an empty line around them. */
class Pieces {
  #text = ''
  #blockOpen = false

  prose(text: string): void {
    if (text === '') return
    if (this.#blockOpen && text.trim() !== '') {
      this.#text = `${this.#text.trimEnd()}\n\n`
      this.#blockOpen = false
      this.#text += text.trimStart()
    } else this.#text += text
  }

  block(text: string): void {
    if (text === '') return
    this.#text = this.#text.trim() === '' ? text : `${this.#text.trimEnd()}\n\n${text}`
    this.#blockOpen = true
  }

  text(): string {
    return this.#text
  }
}

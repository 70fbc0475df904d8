import type { AssistantMessage, Message, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { framesAsText, withoutMarks } from '@/lib/protocols/framed-calls/frame'
import { withoutTokens, endsReasoning, reasoningMarksOf } from '@/lib/protocols/reasoning/reasoning-marks'
import type { ParsedReply, TextSegment, BrokenSegment, CallSegment, Segment } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { type ToolSpec, formOf, type ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { type MessageCall, messageCalls, isReadForCalls } from '@/lib/shared/calls/message-calls'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import type { ConversationState } from './state'

const memo = new WeakMap<AssistantMessage, { readonly tools: readonly ToolSpec[]; readonly reply: ParsedReply }>()

/** How a reply is parsed here: in its own form, once that is loaded (`lib/protocols/envelope-reply.ts`). */
export const loadedReplyForm = (message: AssistantMessage): ReplyForm =>
  message.reading && !toolContextBuilder.hasEnvelopeForm ? message.strategy : formOf(message)

/** A reply whose calls do not count: all of it is text. */
export function completeText(text: string): readonly TextSegment[] {
  if (text === '') return []
  const shownText = framesAsText(text)
  return [{ kind: 'text', start: 0, end: text.length, ...(shownText === text ? {} : { said: shownText }) }]
}

/**
 * The text of a reply for the clipboard: unchanged, but extracted from JSON if that is its form, and without special
 * tokens.
 */
export const copiedText = (message: AssistantMessage): string => withoutTokens(framesAsText(spokenText(message)), true)

/** The text of a reply, extracted from JSON if that is its form. */
export function spokenText(message: AssistantMessage): string {
  const { text } = message
  if (!message.reading) return text
  const { segments } = toolContextBuilder.parseResponse(loadedReplyForm(message), text, [])
  const texts = segments.map((one) => (one.kind === 'text' ? one.said : undefined))
  if (texts.every((one) => one === undefined)) return text
  return segments.map(({ start, end }, at) => texts[at] ?? text.slice(start, end).trim()).join('\n\n')
}

/**
 * Parses the whole text of a stored reply in the form that it was requested in. It is parsed once per row: rows keep
 * their identity while they do not change, and so do the tools until one is added, removed or offered differently. A
 * message that was made without tools is text only, whatever it contains.
 */
export function parsedReply(message: AssistantMessage, config: ToolCallConfig, toolSet: ToolSet): ParsedReply {
  const tools = discoverTools(toolSet, config, message.strategy)
  const known = memo.get(message)
  if (known && known.tools === tools) return known.reply
  const reply = read(message, tools)
  memo.set(message, { tools, reply })
  return reply
}

function read(message: AssistantMessage, tools: readonly ToolSpec[]): ParsedReply {
  if (!message.toolsEnabled) {
    return { type: 'text', segments: completeText(message.text) }
  }
  return toolContextBuilder.parseResponse(loadedReplyForm(message), message.text, tools)
}

/** An open code fence: the text that closes it, and the line that opens it again. */
interface OpenFence {
  readonly marker: string
  readonly opener: string
}

const fenceLine = /^[ \t]*(`{3,}|~{3,})(.*)$/

/**
 * Makes one section of a reply's text readable by itself. Cards cut a reply into sections, and a cut may go through a
 * code block: the block is closed before the card and opened again after it, and a block that contained only the call
 * is removed. `startsLine`: the section begins at the start of a line.
 */
function balanceFences(
  text: string,
  startsLine: boolean,
  open: OpenFence | null,
): { readonly text: string; readonly open: OpenFence | null } {
  const out: string[] = []
  /** Where the open block begins in `out`, whether it has content, and whether a card cut its beginning off. */
  let block = open ? { fence: open, at: 0, filled: false, cut: true } : null
  if (open) out.push(open.opener)
  for (const [index, line] of text.split('\n').entries()) {
    const found = index > 0 || startsLine ? fenceLine.exec(line) : null
    const marker = found?.[1] ?? ''
    const rest = found?.[2] ?? ''
    if (block) {
      const closes = marker.startsWith(block.fence.marker) && rest.trim() === ''
      if (!closes) {
        // The rest of the call's line is not content of the block, nor is a fence around the call alone.
        if (line.trim() !== '' && !found) block.filled = true
        if (block.filled || !block.cut) out.push(line)
        continue
      }
      if (block.cut && !block.filled) out.length = block.at
      else out.push(line)
      block = null
    } else {
      if (found && !(marker.startsWith('`') && rest.includes('`'))) {
        block = { fence: { marker, opener: line }, at: out.length, filled: false, cut: false }
      }
      out.push(line)
    }
  }
  if (!block) return { text: out.join('\n'), open: null }
  if (block.filled) out.push(block.fence.marker)
  else out.length = block.at
  return { text: out.join('\n'), open: block.fence }
}

/** The parts of a reply, from top to bottom: prose, folded reasoning, and stacks of consecutive cards. */
export type MessagePart =
  | { readonly kind: 'text'; readonly start: number; readonly text: string }
  | {
      readonly kind: 'reasoning'
      readonly start: number
      readonly text: string
      /** Duration of the reasoning; left out: unknown. */
      readonly ms?: number
    }
  | { readonly kind: 'stack'; readonly start: number; readonly items: readonly StackItem[] }

/** Where a quoted call is: in a code block, on lines of its own, inside a line of prose, or in the reasoning. */
export type QuoteLocation = 'block' | 'aside' | 'prose' | 'thought'

export type StackItem =
  | { readonly kind: 'live'; readonly slot: number; readonly call: CallSegment; readonly raw: string }
  | { readonly kind: 'inactive'; readonly call: CallSegment; readonly raw: string; readonly place: QuoteLocation }
  | { readonly kind: 'broken'; readonly broken: BrokenSegment; readonly raw: string }

/**
 * The parts of a reply in order. Cards replace their text; a call that is quoted inside a sentence or a thought stays
 * in it, so that it can be read, and its card follows. White space between cards is dropped.
 */
export function messageParts(text: string, reply: ParsedReply): readonly MessagePart[] {
  const parts: MessagePart[] = []
  let slot = 0
  let fence: OpenFence | null = null
  /** The text or reasoning that is being assembled, and the cards that come after it. */
  let run: { kind: 'text' | 'reasoning'; start: number; raw: string; later: StackItem[] } | null = null

  /** A thought has begun and not ended: calls in it are part of it, also several in a row. */
  let inThought = false

  /** Only white space follows `end`. */
  const isLast = (end: number): boolean => /^\s*$/.test(text.slice(end))
  const inFence = (): boolean => fence !== null
  const addItem = (start: number, item: StackItem) => {
    const last = parts.at(-1)
    if (last?.kind === 'stack') parts[parts.length - 1] = { ...last, items: [...last.items, item] }
    else parts.push({ kind: 'stack', start, items: [item] })
  }
  const flush = () => {
    if (!run) return
    const { kind, start, raw, later } = run
    run = null
    if (kind === 'reasoning') {
      const thought = reasoningMarksOf(raw).inner.trim()
      if (thought !== '') parts.push({ kind, start, text: thought })
    } else {
      const startsLine = start === 0 || text[start - 1] === '\n'
      const words = fence === null ? withoutTokens(raw, isLast(start + raw.length)) : raw
      const balanced = balanceFences(words, startsLine, fence)
      fence = balanced.open
      if (balanced.text.trim() !== '') parts.push({ kind, start, text: trimBlankLines(balanced.text) })
    }
    for (const item of later) addItem(start, item)
  }
  const append = (kind: 'text' | 'reasoning', segment: Segment) => {
    const { start, end } = segment
    if (run?.kind !== kind) {
      flush()
      run = { kind, start, raw: '', later: [] }
    }
    const shownText = segment.kind === 'text' ? segment.said : undefined
    if (shownText !== undefined && run.raw !== '') run.raw += '\n\n'
    run.raw += shownText ?? text.slice(start, end)
  }

  for (const [index, segment] of reply.segments.entries()) {
    // The same length, so offsets stay valid; a control character would be invisible.
    const raw = withoutMarks(text.slice(segment.start, segment.end))
    switch (segment.kind) {
      case 'text':
      case 'reasoning':
        append(segment.kind, segment)
        inThought = segment.kind === 'reasoning' && !endsReasoning(raw)
        if (segment.kind === 'reasoning' && !inThought) flush()
        break
      case 'call': {
        if (segment.standing === 'live') {
          flush()
          addItem(segment.start, { kind: 'live', slot: slot++, call: segment, raw })
          break
        }
        const isQuoted = segment.standing === 'quoted'
        const place = !isQuoted
          ? 'block'
          : inThought
            ? 'thought'
            : placeOf(text, reply.segments[index - 1], reply.segments[index + 1])
        if (place === 'block') {
          flush()
          addItem(segment.start, { kind: 'inactive', call: segment, raw, place: inFence() ? 'block' : 'aside' })
        } else {
          append(place === 'thought' ? 'reasoning' : 'text', segment)
          ;(run as { later: StackItem[] } | null)?.later.push({ kind: 'inactive', call: segment, raw, place })
        }
        break
      }
      case 'broken':
        flush()
        addItem(segment.start, { kind: 'broken', broken: segment, raw })
        break
    }
  }
  flush()
  return parts
}

function placeOf(text: string, before: Segment | undefined, after: Segment | undefined): 'prose' | 'block' {
  const lineBefore = before?.kind === 'text' ? text.slice(before.start, before.end).split('\n').at(-1) : ''
  const lineAfter = after?.kind === 'text' ? text.slice(after.start, after.end).split('\n')[0] : ''
  return `${lineBefore}${lineAfter}`.trim() === '' ? 'block' : 'prose'
}

/** Blank lines at the edges would only add space; indentation of the first line is significant (a code block). */
const trimBlankLines = (text: string): string => text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()

const none: readonly CallAmendment[] = []

export const amendmentsOf = (
  view: Pick<ConversationState, 'amendments'>,
  messageId: string,
): readonly CallAmendment[] => view.amendments.get(messageId) ?? none

/**
 * The calls in a reply's text as its cards show them, including those of an interrupted reply, though none of these may
 * run.
 */
export function shownCalls(
  message: AssistantMessage,
  config: ToolCallConfig,
  amendments: readonly CallAmendment[],
  toolSet: ToolSet,
): readonly MessageCall[] {
  const tools = discoverTools(toolSet, config)
  return messageCalls(parsedReply(message, config, toolSet), {
    amendments,
    read: (call) => toolContextBuilder.readCall(call, tools),
  })
}

/** The current calls of a stored reply, with the user's edits; none of an interrupted one. */
export const replyCalls = (
  message: Message | undefined,
  config: ToolCallConfig,
  amendments: readonly CallAmendment[],
  toolSet: ToolSet,
): readonly MessageCall[] => (isReadForCalls(message) ? shownCalls(message, config, amendments, toolSet) : [])

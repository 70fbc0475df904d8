import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { type MessageCall, type ReadWrittenCall, callsOf } from '@/lib/shared/calls/message-calls'
import type { AssistantMessage, CallAmendment, Message, UserMessage } from '@/lib/shared/conversation/conversation'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import type { ToolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { type CallToWrite, type ToolSpec, formOf, type ReplyForm } from '@/lib/protocols/types/tool-context-def'

/*
 * A reply does not change once it has ended, so it is read once and kept: for prompts, for the validation of calls, for
 * counts and imports alike. What a reading depends on is its key: the reply, its strategy, what the tools are. The text is
 * compared as a whole, so that nothing but the same words ever gets a reading. What was not asked for longest goes first.
 */

export interface ReplyReadings {
  /** The whole text in the form that the reply was asked for. */
  parse(message: AssistantMessage, tools: readonly ToolSpec[]): ParsedReply
  /** The calls of a reply with what the user made of them; `amendments` may be of others too. */
  callsOf(
    message: Message | undefined,
    tools: readonly ToolSpec[],
    amendments?: readonly CallAmendment[],
  ): readonly MessageCall[]
  /** What `tell` makes of the reply for a prompt; it is asked once for the same strategy, tools and amendments. */
  told(message: AssistantMessage, how: ReadingOptions, tell: () => string): string
  /**
   * What `tell` makes of the results that a message takes along; it is asked once for the same row and the same `how`. Kept as
   * long as the row itself is (`lib/server/store/chats/branch-queries.ts`), which has a bound.
   */
  toldResults(message: UserMessage, how: string, tell: () => string): string
  /** What is kept of replies weighs about so much, in bytes: never more than it may. */
  readonly bytes: number
}

/** What a reply's words in a prompt depend on beside the reply. */
export interface ReadingOptions {
  /** The form that the prompt describes; null: none. */
  readonly strategy: ReplyForm | null
  readonly tools: readonly ToolSpec[]
  readonly amendments?: readonly CallAmendment[]
}

/** What reading needs of the ToolContextBuilder. */
export interface ReplyParser extends Pick<ToolContextBuilder, 'parseResponse'> {
  readCall(call: CallToWrite, tools: readonly ToolSpec[]): ReturnType<ReadWrittenCall>
}

interface Reading {
  readonly text: string
  readonly reply: ParsedReply
  /** The last telling, by what it depended on. */
  told: { readonly how: string; readonly text: string } | null
  bytes: number
}

/** Holds some hundred long chats. */
const MAX_BYTES = 64_000_000

export function createReplyReadings(builder: ReplyParser, maxBytes = MAX_BYTES): ReplyReadings {
  /** Oldest first. */
  const readings = new Map<string, Reading>()
  const digests = new WeakMap<readonly ToolSpec[], string>()
  const results = new WeakMap<UserMessage, { readonly how: string; readonly text: string }>()
  let bytes = 0

  /** Equal tools are the same tools, whoever found them. */
  function digestOf(tools: readonly ToolSpec[]): string {
    const known = digests.get(tools)
    if (known !== undefined) return known
    const digest = hashOf(tools)
    digests.set(tools, digest)
    return digest
  }

  function keep(key: string, reading: Reading): void {
    // It would drive out all others.
    if (reading.bytes > maxBytes) return
    readings.set(key, reading)
    bytes += reading.bytes
    for (const [oldest, { bytes: freed }] of readings) {
      if (bytes <= maxBytes) return
      readings.delete(oldest)
      bytes -= freed
    }
  }

  function take(key: string): Reading | undefined {
    const found = readings.get(key)
    if (!found) return undefined
    readings.delete(key)
    bytes -= found.bytes
    return found
  }

  function read(message: AssistantMessage, tools: readonly ToolSpec[]): { key: string; reading: Reading } {
    const { conversationId, id, text } = message
    const form = formOf(message)
    const key = JSON.stringify([conversationId, id, form, digestOf(tools)])
    const known = take(key)
    if (known?.text === text) {
      keep(key, known)
      return { key, reading: known }
    }
    const reply = builder.parseResponse(form, text, tools)
    const reading: Reading = { text, reply, told: null, bytes: weightOf([key, text, reply]) }
    // What is still written reads otherwise with the next word.
    if (message.outcome !== null) keep(key, reading)
    return { key, reading }
  }

  const parse: ReplyReadings['parse'] = (message, tools) => read(message, tools).reading.reply

  return {
    get bytes() {
      return bytes
    },
    parse,

    callsOf: (message, tools, amendments = []) =>
      callsOf(
        message,
        amendments.filter(({ messageId }) => messageId === message?.id),
        { parse: (reply) => parse(reply, tools), readCall: (call) => builder.readCall(call, tools) },
      ),

    toldResults(message, how, tell) {
      const known = results.get(message)
      if (known?.how === how) return known.text
      const text = tell()
      results.set(message, { how, text })
      return text
    },

    told(message, { strategy, tools, amendments = [] }, tell) {
      const { key, reading } = read(message, tools)
      const own = amendments.filter(({ messageId }) => messageId === message.id)
      const how = JSON.stringify([strategy, message.outcome, own.length === 0 ? null : hashOf(own)])
      if (reading.told?.how === how) return reading.told.text
      const text = tell()
      if (readings.get(key) === reading) {
        take(key)
        const before = reading.told ? weightOf(reading.told) : 0
        reading.told = { how, text }
        reading.bytes += weightOf(reading.told) - before
        keep(key, reading)
      }
      return text
    },
  }
}

const hashOf = (value: unknown): string => bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(value))))

/** About what plain data takes in memory, rather too much than too little; bytes. Arguments have no prototype, which costs. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 16
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + 8 + weightOf(one), 48)
  return Object.entries(value).reduce((sum, [key, one]) => sum + 24 + 2 * key.length + weightOf(one), 200)
}

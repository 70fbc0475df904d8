import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { type MessageCall, type ReadWrittenCall, callsOf } from '@/lib/shared/calls/message-calls'
import type {
  AssistantMessage,
  Message,
  UserMessage,
  ConversationSettings,
} from '@/lib/shared/conversation/conversation'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import type { ToolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { type CallToWrite, type ToolSpec, formOf, type ReplyForm } from '@/lib/protocols/types/tool-context-def'
import type { ExactOfModel } from '@/lib/shared/models/model'
import { envelopeStrategy } from '@/lib/protocols/envelope-reply'

/*
 * A reply does not change once it has ended, so it is parsed once and cached: for prompts, for the validation of calls,
 * for counts and imports alike. The cache key is everything that a reading depends on: the reply, its strategy, the
 * tools. The text is compared as a whole, so that only the same text gets a reading. The least recently used one is
 * dropped first.
 */

export interface ReplyReadings {
  /** The whole text, parsed in the form that the reply was requested in. */
  parse(message: AssistantMessage, tools: readonly ToolSpec[]): ParsedReply
  /** The calls of a reply with the user's edits; `amendments` may include others. */
  callsOf(
    message: Message | undefined,
    tools: readonly ToolSpec[],
    amendments?: readonly CallAmendment[],
  ): readonly MessageCall[]
  /** The result of `tell` for the reply in a prompt; called once for the same strategy, tools and amendments. */
  asPrompt(message: AssistantMessage, how: ReadingOptions, tell: () => string): string
  /**
   * The result of `tell` for the results in a message; called once for the same row and the same `how`. Cached as long
   * as the row itself (`lib/server/store/chats/branch-queries.ts`), which has a limit.
   */
  resultsAsPrompt(message: UserMessage, how: string, tell: () => string): string
  /** The approximate size of the cache in bytes: never more than the limit. */
  readonly bytes: number
}

/** What a reply's text in a prompt depends on besides the reply. */
export interface ReadingOptions {
  /** The form that the prompt describes; null: none. */
  readonly strategy: ReplyForm | null
  readonly tools: readonly ToolSpec[]
  readonly amendments?: readonly CallAmendment[]
}

/** The part of the ToolContextBuilder that parsing needs. */
export interface ReplyParser extends Pick<ToolContextBuilder, 'parseResponse'> {
  readCall(call: CallToWrite, tools: readonly ToolSpec[]): ReturnType<ReadWrittenCall>
}

interface Reading {
  readonly text: string
  readonly reply: ParsedReply
  /** The last prompt text, with what it depended on. */
  asPrompt: { readonly how: string; readonly text: string } | null
  bytes: number
}

/** Holds some hundred long chats. */
const MAX_BYTES = 64_000_000

export function createReplyReadings(builder: ReplyParser, maxBytes = MAX_BYTES): ReplyReadings {
  /** Least recently used first. */
  const readings = new Map<string, Reading>()
  const digests = new WeakMap<readonly ToolSpec[], string>()
  const results = new WeakMap<UserMessage, { readonly how: string; readonly text: string }>()
  let bytes = 0

  /** Equal tools count as the same, no matter who found them. */
  function digestOf(tools: readonly ToolSpec[]): string {
    const known = digests.get(tools)
    if (known !== undefined) return known
    const digest = hashOf(tools)
    digests.set(tools, digest)
    return digest
  }

  function keep(key: string, reading: Reading): void {
    // It would drop all others.
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
    const reading: Reading = { text, reply, asPrompt: null, bytes: weightOf([key, text, reply]) }
    // A reply that is still being written reads differently with the next token.
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

    resultsAsPrompt(message, how, tell) {
      const known = results.get(message)
      if (known?.how === how) return known.text
      const text = tell()
      results.set(message, { how, text })
      return text
    },

    asPrompt(message, { strategy, tools, amendments = [] }, tell) {
      const { key, reading } = read(message, tools)
      const own = amendments.filter(({ messageId }) => messageId === message.id)
      const how = JSON.stringify([strategy, message.outcome, own.length === 0 ? null : hashOf(own)])
      if (reading.asPrompt?.how === how) return reading.asPrompt.text
      const text = tell()
      if (readings.get(key) === reading) {
        take(key)
        const before = reading.asPrompt ? weightOf(reading.asPrompt) : 0
        reading.asPrompt = { how, text }
        reading.bytes += weightOf(reading.asPrompt) - before
        keep(key, reading)
      }
      return text
    },
  }
}

const hashOf = (value: unknown): string => bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(value))))

/**
 * The approximate size of plain data in memory, rather too high than too low; bytes. Arguments have no prototype, which
 * takes more.
 */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 16
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + 8 + weightOf(one), 48)
  return Object.entries(value).reduce((sum, [key, one]) => sum + 24 + 2 * key.length + weightOf(one), 200)
}

/**
 * Whether the next reply is requested as one JSON value: if the chat wants constrained replies and the model supports
 * only a schema. It follows from the settings and the model, not from the last reply's result, so that the prompt stays
 * the same. `last`: the previous reply in the branch.
 */
export function readingOfNext(
  { model, strategy, tools, exact: wanted }: Pick<ConversationSettings, 'model' | 'strategy' | 'tools' | 'exact'>,
  exact: Pick<ExactOfModel, 'takes' | 'byDefault'> | null | undefined,
  last: AssistantMessage | undefined,
): 'whole' | undefined {
  if (!exact || strategy !== envelopeStrategy || !tools.enabled || !(wanted ?? exact.byDefault)) return undefined
  if (exact.takes === 'json-schema') return 'whole'
  // Findings about a server expire after a while; the chat continues as it began.
  const continues = exact.takes === 'unknown' && last?.model === model && last.strategy === strategy
  return continues ? last.reading : undefined
}

import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { StreamingToolCallTracker } from '@ai-sdk/provider-utils'
import { isRecord } from '@/lib/base/json'
import { meaningOf } from '../read-failure'
import { createEventReader, type BodyEvent, EventTooLong } from './event-reader'
import { createChunkReader, errorIn, unwrapped, type CallDelta, type ChunkContent } from './read-chunk'

/** An error in the body of a reply, as data: `readFailure` recognizes it by its `type`. */
interface BodyError {
  readonly type: string
  readonly message: string
  readonly code?: string | number
}

/** The body is no reply; `text`: its beginning. */
const notAReply = (text: string, isPage: boolean): BodyError => ({
  type: isPage ? 'web_page' : 'not_a_reply',
  message: text.trim() === '' ? 'the answer was empty' : text.trim(),
})

/** The body ended before the reply did; `other`: text that was no part of it. */
const connectionClosedEarly = (other: string): BodyError => ({
  type: 'broke_off',
  message: `the answer ended without a finish reason${other.trim() === '' ? '' : `\n${other.trim()}`}`,
})

/** An error that the server reported inside the reply, in one of the many forms that servers use. */
function reportedError(value: unknown): BodyError {
  const failure = isRecord(value) && isRecord(value['error']) ? value['error'] : value
  if (!isRecord(failure)) return { type: 'stream_error', message: wordsOf(failure) }
  const { code, status, type, metadata } = failure
  const words = wordsOf(failure['message'] ?? failure['msg'] ?? failure['error'] ?? failure['detail'] ?? failure)
  // OpenRouter: the words of the server behind it.
  const behind = isRecord(metadata) && typeof metadata['raw'] === 'string' ? `\n${metadata['raw']}` : ''
  const kind = code ?? status
  return {
    type: typeof type === 'string' && /^[a-z_]+_error$/.test(type) ? type : 'stream_error',
    message: words + behind,
    ...((typeof kind === 'string' || typeof kind === 'number') && { code: kind }),
  }
}

const isGood = (reason: string): boolean => ['stop', 'tool-calls'].includes(meaningOf(reason))

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const countIn = (value: unknown, name: string): number | undefined => {
  const count = isRecord(value) ? value[name] : undefined
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/**
 * Tokens of a reply, from the last `usage` that its server sent and from `timings` (llama.cpp). Invalid counts are
 * unknown. Cached prompt tokens: `usage.prompt_tokens_details.cached_tokens` (OpenAI, vLLM, SGLang and others), or
 * `timings.cache_n` beside the usage.
 */
function usageOf(usage: unknown, timings: unknown): LanguageModelV4Usage {
  const details = isRecord(usage) ? usage : {}
  const count = (...names: readonly string[]) =>
    names.map((name) => countIn(usage, name)).find((one) => one !== undefined)
  // OpenAI's names, Anthropic's, and those of Ollama's own API.
  const input = count('prompt_tokens', 'input_tokens', 'prompt_eval_count')
  const output = count('completion_tokens', 'output_tokens', 'eval_count')
  const reasoning = countIn(details['completion_tokens_details'], 'reasoning_tokens')
  const cacheRead = countIn(details['prompt_tokens_details'], 'cached_tokens') ?? countIn(timings, 'cache_n')
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - Math.min(input, cacheRead ?? 0),
      cacheRead,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : Math.max(0, output - (reasoning ?? 0)),
      reasoning,
    },
  }
}

type Part = LanguageModelV4StreamPart
type Push = (part: Part) => void

/** The progress of a reply: being written; complete except for its usage; complete. */
export type ReplyState = 'written' | 'closing' | 'over'

/**
 * Reads the body of one reply into parts. `provider`: under this name the marks of calls are sent back to their server.
 * Parts that a reply does not need never make it fail. A reply has ended well only with a finish reason that is known
 * to be good, or with `[DONE]`.
 */
export function createReplyReader(provider: string, push: Push) {
  const events = createEventReader()
  const readChunk = createChunkReader()
  const blocks = createBlocks(push)
  const calls = createCalls(provider, push)
  let state: ReplyState = 'written'
  let finish: string | null = null
  let hasRefused = false
  let hasChunks = false
  let hasChoices = false
  /** The first chunk without any part of a reply. */
  let unread = ''
  let usage: unknown
  let timings: unknown

  function finishWith(finishReason: LanguageModelV4FinishReason): void {
    blocks.end()
    push({ type: 'finish', finishReason, usage: usageOf(usage, timings) })
    state = 'over'
  }

  function fail(error: BodyError): void {
    blocks.end()
    push({ type: 'error', error })
    finishWith({ unified: 'error', raw: undefined })
  }

  /** The server said that the reply is complete. */
  function end(reason: string): void {
    const unified = meaningOf(reason)
    // A call of an interrupted reply stays open, which marks it as cut.
    if (unified !== 'other') calls.end()
    finishWith(
      hasRefused && unified === 'stop' ? { unified: 'content-filter', raw: 'refusal' } : { unified, raw: reason },
    )
  }

  function say({ reasoning, text, refusal, calls: deltas, finish: reason }: ChunkContent): void {
    if (reasoning !== '') blocks.write('reasoning', reasoning)
    if (text !== '') blocks.write('text', text)
    if (refusal !== '') {
      hasRefused = true
      blocks.write('text', refusal)
    }
    if (deltas.length > 0) {
      blocks.end()
      for (const delta of deltas) calls.add(delta)
    }
    if (reason !== null) {
      // A good reason does not undo a bad one.
      if (finish === null || isGood(finish)) finish = reason
      state = 'closing'
    }
  }

  function hear(event: BodyEvent): void {
    switch (event.kind) {
      case 'done':
        // A server that speaks another format completes no reply.
        return hasChoices || unread === '' ? end(finish ?? 'stop') : fail(notAReply(unread, false))
      case 'error':
        return fail(reportedError(event.value))
      case 'unreadable':
        return fail(notAReply(event.text, false))
      case 'chunk': {
        const chunk = unwrapped(event.value)
        const error = errorIn(chunk)
        if (error !== null) return fail(reportedError(error))
        hasChunks = true
        if (isRecord(chunk['usage'])) usage = chunk['usage']
        else if (chunk['eval_count'] !== undefined) usage = chunk
        if (chunk['timings'] !== undefined) timings = chunk['timings']
        const words = readChunk(chunk)
        hasChoices ||= words !== null || Array.isArray(chunk['choices'])
        if (words) say(words)
        else if (unread === '' && !hasChoices) unread = JSON.stringify(event.value).slice(0, 2_000)
      }
    }
  }

  function hearAll(read: () => readonly BodyEvent[]): void {
    try {
      for (const event of read()) {
        if (state === 'over') return
        hear(event)
      }
    } catch (error) {
      if (!(error instanceof EventTooLong)) throw error
      fail(notAReply(error.message, false))
    }
  }

  return {
    read(piece: Uint8Array): ReplyState {
      hearAll(() => events.read(piece))
      return state
    },
    /** Nothing more comes, or nothing more is awaited. */
    end(): void {
      // Half an event at the end of a body was cut off, and is no other form of a reply.
      hearAll(() => events.end().filter(({ kind }) => kind !== 'unreadable'))
      if (state === 'over') return
      if (finish !== null) return end(finish)
      const { text, isPage } = events.other()
      if (hasChoices || (text === '' && !isPage && !hasChunks)) return fail(connectionClosedEarly(text))
      fail(notAReply(unread === '' ? text : unread, isPage))
    },
  }
}

/** Text as parts: each run of one channel is a block with a beginning and an end. */
function createBlocks(push: Push) {
  let open: { readonly channel: 'text' | 'reasoning'; readonly id: string } | null = null
  let made = 0

  function end(): void {
    if (open) push({ type: `${open.channel}-end`, id: open.id })
    open = null
  }

  return {
    end,
    write(channel: 'text' | 'reasoning', delta: string): void {
      if (open?.channel !== channel) {
        end()
        open = { channel, id: `words-${(made += 1)}` }
        push({ type: `${channel}-start`, id: open.id })
      }
      push({ type: `${channel}-delta`, id: open.id, delta })
    },
  }
}

/**
 * Native calls as parts. The package decides which piece belongs to which call; pieces of a call without a name wait
 * for it.
 */
function createCalls(provider: string, push: Push) {
  type Delta = Parameters<StreamingToolCallTracker['processDelta']>[0] & { readonly signature?: string }
  const nameless = new Map<number, CallDelta>()
  const named = new Set<number>()
  let tracker: StreamingToolCallTracker<Delta> | null = null

  function track({ index, id, name, arguments: args, thoughtSignature }: CallDelta): void {
    tracker ??= new StreamingToolCallTracker<Delta>(
      { enqueue: push },
      {
        extractMetadata: ({ signature }) =>
          signature === undefined ? undefined : { [provider]: { thoughtSignature: signature } },
        buildToolCallProviderMetadata: (metadata) => metadata,
      },
    )
    tracker.processDelta({
      ...(index !== undefined && { index }),
      ...(id !== undefined && { id }),
      function: { name: name ?? null, arguments: args },
      ...(thoughtSignature !== undefined && { signature: thoughtSignature }),
    })
  }

  return {
    add(delta: CallDelta): void {
      const { index = 0 } = delta
      const waits = nameless.get(index)
      const whole = waits ? { ...waits, ...delta, arguments: waits.arguments + delta.arguments } : delta
      if (delta.name === undefined && !named.has(index) && (delta.index !== undefined || named.size === 0)) {
        nameless.set(index, whole)
        return
      }
      named.add(index)
      nameless.delete(index)
      track(whole)
    },
    end(): void {
      tracker?.flush()
      // Calls without a tool name: they are shown as such.
      for (const [index, { id = `call-${index}`, arguments: input }] of nameless) {
        push({ type: 'tool-input-start', id, toolName: '' })
        push({ type: 'tool-call', toolCallId: id, toolName: '', input })
      }
    },
  }
}

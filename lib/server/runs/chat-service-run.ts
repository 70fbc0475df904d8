import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import {
  experimental_streamTextLowMemory as streamText,
  type FinishReason,
  type LanguageModelUsage,
  wrapLanguageModel,
} from 'ai'
import type { ModelFailure } from '@/lib/shared/models/model'
import { withNativeTools, metadataOf } from '@/lib/shared/models/native-model'
import { createAbortable } from '@/lib/base/clocks'
import type { Clock } from './clock'
import type { Usage } from '@/lib/shared/conversation/conversation'
import { endBrokenOff, endByReason, type ReplyEnd } from '@/lib/shared/conversation/reply-end'
import { maxReplyChars } from '@/lib/shared/conversation/wire/tab-run'
import type { ModelInput } from '@/lib/shared/prompt/model-messages'
import { filterAtSource, type PartFilter } from '@/lib/shared/models/openai-compatible/reply-stream'
import { FrameWriter } from '@/lib/protocols/framed-calls/frame-writer'
import { BESIDE_OPENER } from '@/lib/protocols/framed-calls/frame'

/** Takes a piece of the reply as soon as it is read. */
type TakeTextDelta = (channel: 'text' | 'reasoning', text: string) => void

/**
 * Returns the same model, whose text goes directly to `take` as soon as it is read. The SDK makes the request and gets
 * all other parts: prompt, finish, usage, errors and aborts stay with it. Otherwise each token would pass through four
 * more streams. The first token is also left to the SDK, which treats an aborted stream differently if there was any
 * text. `isAlive` is called for every part, also those without text. `frames`: writes unrequested native calls into the
 * text as frames; where native calls are requested, they are frames already.
 */
export function withDirectDeltas(
  model: LanguageModelV4,
  take: TakeTextDelta,
  isAlive: () => void,
  frames: boolean,
): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const result = await doStream()
        return {
          ...result,
          stream: filtered(result.stream, createTaker(frames ? framing(take) : taking(take), isAlive)),
        }
      },
    },
  })
}

type Take = (part: LanguageModelV4StreamPart) => void

const taking =
  (take: TakeTextDelta): Take =>
  (part) => {
    if (part.type === 'text-delta') take('text', part.delta)
    else if (part.type === 'reasoning-delta') take('reasoning', part.delta)
  }

/** Writes the provider's native calls into the text. */
function framing(take: TakeTextDelta): Take {
  const writer = new FrameWriter(BESIDE_OPENER)
  return (part) => {
    switch (part.type) {
      case 'text-delta':
        take('text', writer.text(part.delta))
        break
      case 'reasoning-delta':
        take('reasoning', part.delta)
        break
      case 'tool-input-start':
        if (part.providerExecuted !== true) take('text', writer.inputStart(part.id, part.toolName))
        break
      case 'tool-input-delta':
        take('text', writer.inputDelta(part.id, part.delta))
        break
      case 'tool-call':
        if (part.providerExecuted !== true)
          take('text', writer.call(part.toolCallId, part.toolName, part.input, metadataOf(part)))
        break
      case 'finish':
      case 'error':
        take('text', writer.end())
        break
      default:
    }
  }
}

/** Passes parts to `take`. Text continues to the SDK up to and including its first piece; all other parts continue. */
function createTaker(take: Take, isAlive: () => void): PartFilter {
  let wasShown = false
  /** Parts after an error or the end are ignored. */
  let isOver = false
  return (part) => {
    isAlive()
    // Signs of life need no further handling.
    if (part.type === 'raw') return false
    if (!isOver) take(part)
    if (part.type === 'error' || part.type === 'finish') isOver = true
    if (isOver || (part.type !== 'text-delta' && part.type !== 'reasoning-delta')) return true
    if (wasShown || part.delta === '') return false
    wasShown = true
    return true
  }
}

function filtered(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  continues: PartFilter,
): ReadableStream<LanguageModelV4StreamPart> {
  if (filterAtSource(parts, continues)) return parts
  const reader = parts.getReader()
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          if (continues(value)) return controller.enqueue(value)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Why a run was aborted, as the abort signal's reason. Any other reason counts as an error. */
export class RunAborted extends Error {
  readonly outcome: 'stopped' | 'interrupted'
  constructor(outcome: 'stopped' | 'interrupted') {
    super(`the run was ${outcome}`)
    this.name = 'RunAborted'
    this.outcome = outcome
  }
}

export interface ModelRunPorts {
  /** Throws AppError `unknown-model`. */
  readonly model: () => LanguageModelV4
  readonly input: ModelInput
  /** The reply uses Native: the provider's calls were requested. Under any other strategy they are foreign. */
  readonly native?: boolean
  /** Omitted: the default of the model's server. */
  readonly temperature?: number
  readonly write: (channel: 'text' | 'reasoning', text: string) => void
  /** Called for everything that the model's server sends, with or without text. */
  readonly onAlive?: () => void
  /**
   * Belongs to the run, not to a request: a reply continues when its reader disconnects. Stop, drain and stall end it.
   */
  readonly abort: AbortController
  readonly clock: Clock
  /**
   * The longest silence of the model’s server, before its first token and between two; signs of life without a token
   * may last much longer.
   */
  readonly stallMs: number
  readonly describeFailure: (error: unknown, wrote: boolean) => ModelFailure
  readonly modelLabel: string
}

/** `describeFailure` recognizes a stall by this name. */
class StalledError extends Error {
  constructor(stallMs: number) {
    super(`nothing came for ${Math.round(stallMs / 1000)} s`)
    this.name = 'StalledError'
  }
}

/**
 * A server may show signs of life without a token for this many times the stall time, because it is reading a long
 * prompt.
 */
const WORDLESS_STALLS = 10

/** `describeFailure` recognizes a server that only shows signs of life by this name. */
class WordlessError extends Error {
  constructor(ms: number) {
    super(`signs of life, but no word for ${Math.round(ms / 1000)} s`)
    this.name = 'WordlessError'
  }
}

/** The abort reason when a reply has reached its maximum length. */
class ReplyFull extends Error {}

/**
 * Runs the model for one reply and returns how it ended. Never rejects. Ends promptly on abort, even if the provider
 * ignores it.
 */
export async function runModel(ports: ModelRunPorts): Promise<ReplyEnd> {
  const { signal } = ports.abort
  const abortable = createAbortable(signal)
  const silence = watchSilence(ports.clock, ports.stallMs, () => ports.abort.abort(new StalledError(ports.stallMs)))
  const wordlessMs = ports.stallMs * WORDLESS_STALLS
  const wordless = watchSilence(ports.clock, wordlessMs, () => ports.abort.abort(new WordlessError(wordlessMs)))
  let wrote = false
  let ended = false
  let leftChars = maxReplyChars
  const write: typeof ports.write = (channel, text) => {
    // A provider that ignores the abort may continue.
    if (ended || text === '') return
    wrote = true
    wordless.isBroken()
    const taken = text.length > leftChars ? cutAt(text, leftChars) : text
    if (taken !== '') ports.write(channel, taken)
    leftChars -= text.length
    if (leftChars >= 0) return
    ended = true
    ports.abort.abort(new ReplyFull('the reply is as long as one may be'))
  }
  try {
    const { instructions, messages, nativeTools = [], stops = [] } = ports.input
    const model = ports.model()
    const { stream } = streamText({
      model: withDirectDeltas(
        ports.native === true ? withNativeTools(model, nativeTools, true) : model,
        write,
        () => {
          silence.isBroken()
          ports.onAlive?.()
        },
        ports.native !== true,
      ),
      ...(instructions === '' ? {} : { instructions }),
      messages,
      ...(ports.temperature === undefined ? {} : { temperature: ports.temperature }),
      ...(stops.length === 0 ? {} : { stopSequences: [...stops] }),
      // A failure is reported at once; the user decides whether to retry.
      maxRetries: 0,
      abortSignal: signal,
      telemetry: { isEnabled: false },
      // Errors arrive as stream parts; the default handler would print them.
      onError: () => {},
    })
    const parts = stream[Symbol.asyncIterator]()
    try {
      for (;;) {
        const step = await abortable.wait(parts.next())
        silence.isBroken()
        if (step.done) return { ...endBrokenOff(ports.modelLabel), usage: null }
        const part = step.value
        if (part.type === 'error') throw part.error
        else if (part.type === 'abort') throw signal.reason ?? new Error('the reply was aborted')
        else if (part.type === 'finish') return endOf(part, ports.modelLabel)
      }
    } finally {
      // Not awaited: a hanging provider would delay the end of the reply.
      void parts.return?.(undefined)?.catch(() => {})
    }
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error
    if (reason instanceof ReplyFull) return { outcome: 'length', failure: null, usage: null }
    if (reason instanceof RunAborted) return { outcome: reason.outcome, failure: null, usage: null }
    return { outcome: 'failed', failure: ports.describeFailure(reason, wrote), usage: null }
  } finally {
    ended = true
    silence.dispose()
    wordless.dispose()
    abortable.dispose()
  }
}

/** Never splits a surrogate pair. */
const cutAt = (text: string, chars: number): string =>
  text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(chars - 1)) ? chars - 1 : chars)

/** Calls `onSilence` once nothing arrived for `ms`. One timer covers everything that arrives in that time. */
function watchSilence(clock: Clock, ms: number, onSilence: () => void) {
  let last = clock.monotonic()
  const check = () => {
    const leftMs = last + ms - clock.monotonic()
    if (leftMs <= 0) onSilence()
    else cancel = clock.after(leftMs, check)
  }
  let cancel = clock.after(ms, check)
  return {
    isBroken: () => {
      last = clock.monotonic()
    },
    dispose: () => cancel(),
  }
}

function endOf(
  finish: {
    readonly finishReason: FinishReason
    readonly rawFinishReason: string | undefined
    readonly totalUsage: LanguageModelUsage
  },
  label: string,
): ReplyEnd {
  const cachedInputTokens = finish.totalUsage.inputTokenDetails.cacheReadTokens
  const usage: Usage = {
    inputTokens: finish.totalUsage.inputTokens ?? null,
    outputTokens: finish.totalUsage.outputTokens ?? null,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
  }
  return { ...endByReason(finish.finishReason, finish.rawFinishReason, label), usage }
}

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
import { BESIDE_OPENER } from '@/lib/protocols/framed-calls/frame'
import { FrameWriter } from '@/lib/protocols/framed-calls/frame-writer'

/** Takes a piece of the reply the moment it is read. */
type TakeTextDelta = (channel: 'text' | 'reasoning', text: string) => void

/**
 * The same model, whose words go to `take` straight from where they are read; the SDK makes the call and gets all other
 * parts: prompt, finish, usage, errors and aborts are its own. A word would else pass four more streams. The first word
 * goes to the SDK too, which is to be left there: it judges a stream that breaks off by whether there was any.
 * `isAlive` is told of every part, also of those without words. `frames`: calls that the provider sends though none was
 * offered are written into the text as frames; where the provider's calls are asked for, they are frames already.
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

/** Writes the provider's own calls into the text. */
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

/** Gives parts to `take`; words go on up to and with the first one, all else continues. */
function createTaker(take: Take, isAlive: () => void): PartFilter {
  let wasSaid = false
  /** What comes after an error or the end is no one's. */
  let isOver = false
  return (part) => {
    isAlive()
    // Signs of life have done their work.
    if (part.type === 'raw') return false
    if (!isOver) take(part)
    if (part.type === 'error' || part.type === 'finish') isOver = true
    if (isOver || (part.type !== 'text-delta' && part.type !== 'reasoning-delta')) return true
    if (wasSaid || part.delta === '') return false
    wasSaid = true
    return true
  }
}

function filtered(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  goesOn: PartFilter,
): ReadableStream<LanguageModelV4StreamPart> {
  if (filterAtSource(parts, goesOn)) return parts
  const reader = parts.getReader()
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          if (goesOn(value)) return controller.enqueue(value)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Why a run was aborted, as the abort signal's reason. Anything else aborts as an error. */
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
  /** The reply is kept under Native: the provider's calls are what is asked for. Under any other strategy they are foreign. */
  readonly native?: boolean
  /** Left out: as the model's server has it. */
  readonly temperature?: number
  readonly write: (channel: 'text' | 'reasoning', text: string) => void
  /** Called with each thing that the model's server sends, words or not. */
  readonly onAlive?: () => void
  /** The run's own, not a request's: a reply continues when its reader goes away. Stop, drain and stall all end it. */
  readonly abort: AbortController
  readonly clock: Clock
  /** Longest silence of the model’s server, before its first word and between two; without a word it may show life for much longer. */
  readonly stallMs: number
  readonly describeFailure: (error: unknown, wrote: boolean) => ModelFailure
  readonly modelLabel: string
}

/** By this name `describeFailure` knows a stall. */
class StalledError extends Error {
  constructor(stallMs: number) {
    super(`nothing came for ${Math.round(stallMs / 1000)} s`)
    this.name = 'StalledError'
  }
}

/** So many times as long as a server may be silent, it may show life without writing a word: it reads a long prompt. */
const WORDLESS_STALLS = 10

/** By this name `describeFailure` knows a server that only shows life. */
class WordlessError extends Error {
  constructor(ms: number) {
    super(`signs of life, but no word for ${Math.round(ms / 1000)} s`)
    this.name = 'WordlessError'
  }
}

/** By this reason the model is let go whose reply is as long as a reply may be. */
class ReplyFull extends Error {}

/** Lets the model write one reply and says how it ended. Never rejects. Ends promptly on abort, also if the provider is deaf. */
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
    // A provider that is deaf to the abort may continue.
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
      // A failure is said at once; whether to ask again is the person's to decide.
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
      // Not awaited: a provider that hangs would hold the end of the reply.
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

/** Never between the halves of a surrogate pair. */
const cutAt = (text: string, chars: number): string =>
  text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(chars - 1)) ? chars - 1 : chars)

/** Calls `onSilence` once nothing came for `ms`. One timer for all that comes within it. */
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

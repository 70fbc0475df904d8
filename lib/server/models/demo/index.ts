import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { readTurn } from './read-results'
import type { DemoReply } from './scene'
import { playTurn } from './script'
import type { FormatCalls, KnownStrategy } from './turn'
import type { ModelProvider } from '@/lib/shared/models/model'

/**
 * Cuts a text into small pieces of uneven length, so that over time markers, tags and escapes are split at every
 * possible place. The same text always gives the same pieces. Surrogate pairs stay whole, because no tokenizer splits
 * them.
 */
export function cutIntoChunks(text: string): readonly string[] {
  const chunks: string[] = []
  let state = (text.length * 2_654_435_761) >>> 0
  let start = 0
  while (start < text.length) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    let end = Math.min(text.length, start + 1 + ((state >>> 16) % maxLength))
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1
    chunks.push(text.slice(start, end))
    start = end
  }
  return chunks
}

const maxLength = 13

/** A piece of a scripted reply: text, or a call in the provider's own form. */
type NativePart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call'
      readonly name: string
      /** The arguments as JSON text; cut off if the call is incomplete. */
      readonly input: string
      readonly complete: boolean
    }

/** The format in which the script writes calls under Native: a head line, the arguments, an end mark. */
const mark = '\u001e'
const frame = new RegExp(`${mark}tool_call (\\{[^\\n]*\\})\\n([^${mark}]*)(${mark}\\n|$)`, 'g')

/** Extracts the calls from a scripted text. */
function nativeParts(text: string): readonly NativePart[] {
  const parts: NativePart[] = []
  let at = 0
  const words = (end: number) => {
    if (end > at) parts.push({ kind: 'text', text: text.slice(at, end) })
  }
  for (const found of text.matchAll(frame)) {
    const [whole, head = '{}', input = '', end = ''] = found
    words(found.index)
    const { name = '' } = JSON.parse(head) as { readonly name?: string }
    parts.push({ kind: 'call', name, input, complete: end !== '' })
    at = found.index + whole.length
  }
  words(text.length)
  return parts
}

export interface DemoPorts {
  /** Formats calls for the strategy that the prompt describes. */
  readonly formatCalls: FormatCalls
  /** The strategies that a prompt may describe. */
  readonly strategies: readonly KnownStrategy[]
  /** Resolves after `ms`; rejects with the signal's reason when it aborts. */
  readonly delay: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** The delay between two pieces of text in milliseconds; 25 reads well. */
  readonly stepMs: number
}

/** A scripted language model: it answers from its prompt alone, so a repeated request gives the same reply. */
export function createDemoModel(ports: DemoPorts): LanguageModelV4 {
  const reply = (options: LanguageModelV4CallOptions): DemoReply =>
    playTurn(readTurn(options.prompt, ports.strategies, ports.formatCalls, options.tools))

  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId: 'demo',
    supportedUrls: {},
    doStream: (options) => {
      const planned = reply(options)
      if (planned.ending.kind === 'failure' && planned.parts.length === 0) {
        return Promise.reject(failure(planned.ending.status))
      }
      return Promise.resolve({ stream: streamOf(playReply(planned, options, ports)) })
    },
    doGenerate: (options) => {
      const planned = reply(options)
      if (planned.ending.kind === 'failure') return Promise.reject(failure(planned.ending.status))
      return Promise.resolve({
        content: piecesOf(planned, options).map((part, index) =>
          part.kind === 'call'
            ? { type: 'tool-call', toolCallId: callId(options, index), toolName: part.name, input: part.input }
            : { type: part.kind, text: part.text },
        ),
        finishReason: finishReasonOf(planned),
        usage: estimateUsage(options, planned),
        warnings: [],
      })
    },
  }
}

async function* playReply(
  reply: DemoReply,
  options: LanguageModelV4CallOptions,
  ports: DemoPorts,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const signal = options.abortSignal
  const chunked = piecesOf(reply, options).map((part) => ({
    part,
    chunks: cutIntoChunks(part.kind === 'call' ? part.input : part.text),
  }))
  const count = chunked.reduce((sum, part) => sum + part.chunks.length, 0)
  const stepMs = reply.durationMs === undefined ? ports.stepMs : reply.durationMs / Math.max(count, 1)

  yield { type: 'stream-start', warnings: [] }
  for (const [index, { part, chunks }] of chunked.entries()) {
    const { kind } = part
    if (kind === 'call') {
      yield* playCall(part, chunks, callId(options, index), () => ports.delay(stepMs, signal))
      continue
    }
    const id = `${kind}-${index}`
    yield { type: `${kind}-start`, id }
    for (const delta of chunks) {
      await ports.delay(stepMs, signal)
      yield { type: `${kind}-delta`, id, delta }
    }
    yield { type: `${kind}-end`, id }
  }
  if (reply.ending.kind === 'stall') await untilAborted(signal)
  if (reply.ending.kind === 'failure') yield { type: 'error', error: failure(reply.ending.status) }
  yield {
    type: 'finish',
    finishReason: finishReasonOf(
      reply,
      chunked.some(({ part }) => part.kind === 'call'),
    ),
    usage: estimateUsage(options, reply),
  }
}

type Piece = NativePart | DemoReply['parts'][number]

/** The parts of a reply for the stream; if tools are sent as schemas, calls use the provider's own form. */
const piecesOf = (reply: DemoReply, options: LanguageModelV4CallOptions): readonly Piece[] =>
  reply.parts.flatMap<Piece>((part) => (part.kind === 'text' && isNative(options) ? nativeParts(part.text) : [part]))

const isNative = ({ tools = [] }: LanguageModelV4CallOptions): boolean => tools.length > 0

/** Unique in a conversation, like a server's ids, and the same for the same request. */
const callId = ({ prompt }: LanguageModelV4CallOptions, index: number): string => `call_demo_${prompt.length}_${index}`

async function* playCall(
  { name, input, complete }: Extract<Piece, { kind: 'call' }>,
  chunks: readonly string[],
  id: string,
  delay: () => Promise<void>,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'tool-input-start', id, toolName: name }
  for (const delta of chunks) {
    await delay()
    yield { type: 'tool-input-delta', id, delta }
  }
  if (!complete) return
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName: name, input }
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function streamOf(parts: AsyncGenerator<LanguageModelV4StreamPart>): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const next = await parts.next()
          if (next.done === true) controller.close()
          else controller.enqueue(next.value)
        } catch (error) {
          controller.error(error)
        }
      },
      // Not awaited: a stalled generator ends only when its signal aborts.
      cancel() {
        parts.return(undefined).catch(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

const finishReasonOf = ({ ending }: DemoReply, calls = false) => {
  if (ending.kind === 'length') return { unified: 'length', raw: 'length' } as const
  if (ending.kind === 'failure') return { unified: 'error', raw: undefined } as const
  return calls ? ({ unified: 'tool-calls', raw: 'tool_calls' } as const) : ({ unified: 'stop', raw: 'stop' } as const)
}

const failure = (status: number): APICallError =>
  new APICallError({
    message: 'The demo was asked to fail.',
    url: 'demo:',
    requestBodyValues: {},
    statusCode: status,
    responseBody: `{"error":{"message":"The demo was asked to fail with status ${status}."}}`,
    isRetryable: false,
  })

/** About four characters per token, as for any model that does not count tokens itself. */
function estimateUsage(options: LanguageModelV4CallOptions, reply: DemoReply): LanguageModelV4Usage {
  const tokens = (length: number) => Math.ceil(length / 4)
  const length = (kind: 'text' | 'reasoning') =>
    reply.parts.reduce((sum, part) => sum + (part.kind === kind ? part.text.length : 0), 0)
  const input = options.prompt.reduce(
    (sum, { content }) =>
      sum +
      (typeof content === 'string'
        ? content.length
        : content.reduce((inner, part) => inner + (part.type === 'text' ? part.text.length : 0), 0)),
    0,
  )
  return {
    inputTokens: { total: tokens(input), noCache: tokens(input), cacheRead: undefined, cacheWrite: undefined },
    outputTokens: {
      total: tokens(length('text')) + tokens(length('reasoning')),
      text: tokens(length('text')),
      reasoning: tokens(length('reasoning')),
    },
  }
}

/** Built in, needs no key, and says that it is a script. */
export function createDemoProvider(ports: DemoPorts): ModelProvider {
  const model = createDemoModel(ports)
  return {
    id: 'demo',
    label: 'Nod',
    list: () =>
      Promise.resolve([
        {
          id: 'demo/demo',
          label: 'Demo (a script)',
          providerLabel: 'Nod',
          contextTokens: null,
          seesImages: false,
          simulated: true,
        },
      ]),
    languageModel: () => model,
  }
}

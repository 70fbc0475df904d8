import { APICallError } from '@ai-sdk/provider'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { cutIntoChunks } from './chunks'
import { readTurn } from './read-turn'
import type { DemoReply } from './reply'
import { playTurn } from './script'
import type { FormatCalls } from './turn'

export interface DemoPorts {
  /** Writes calls as the strategy that the prompt describes wants them. */
  readonly formatCalls: FormatCalls
  /** Resolves after `ms`; rejects with the signal's reason when it aborts. */
  readonly delay: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Between two pieces of text; 25 reads well. */
  readonly stepMs: number
}

/** A language model that is a script: it answers from its prompt alone, so a replayed request gives the same reply. */
export function createDemoModel(ports: DemoPorts): LanguageModelV4 {
  const reply = (options: LanguageModelV4CallOptions): DemoReply =>
    playTurn(readTurn(options.prompt, ports.formatCalls))

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
        content: planned.parts.map(({ kind, text }) => ({ type: kind, text })),
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
  const chunked = reply.parts.map((part) => ({ kind: part.kind, chunks: cutIntoChunks(part.text) }))
  const count = chunked.reduce((sum, part) => sum + part.chunks.length, 0)
  const stepMs = reply.durationMs === undefined ? ports.stepMs : reply.durationMs / Math.max(count, 1)

  yield { type: 'stream-start', warnings: [] }
  for (const [index, { kind, chunks }] of chunked.entries()) {
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
  yield { type: 'finish', finishReason: finishReasonOf(reply), usage: estimateUsage(options, reply) }
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
      // Not awaited: a generator that stalls ends only when its signal aborts.
      cancel() {
        parts.return(undefined).catch(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

const finishReasonOf = ({ ending }: DemoReply) => {
  if (ending.kind === 'length') return { unified: 'length', raw: 'length' } as const
  if (ending.kind === 'failure') return { unified: 'error', raw: undefined } as const
  return { unified: 'stop', raw: 'stop' } as const
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

/** About four characters a token, as for any model that does not count itself. */
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

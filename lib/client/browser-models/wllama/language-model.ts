import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { AppError } from '@/lib/base/app-error'
import type { JsonObject } from '@/lib/base/json'
import { OwnFailure, refusedFailure } from '@/lib/shared/models/failure'
import type { ModelFailure } from '@/lib/shared/models/model'
import type { ChatTurn, WllamaNotice, WriteEnd, WriteOptions } from './protocol'
import type { ModelChoice, WllamaRunner } from './client'

/** Progress before the first token, in a part of type `raw`. */
export type WllamaProgress =
  /** Bytes of the weights. */
  | { readonly loading: { readonly done: number; readonly total: number } }
  /** Tokens of the prompt. */
  | { readonly prefill: { readonly read: number; readonly total: number } }

/**
 * A browser-run model as an AI SDK model. `providerOptions.wllama.grammar` is GBNF that the reply follows from its
 * first token; a JSON schema comes as `responseFormat`. `fields`: the same for all of its requests, from
 * `exactForms.grammar`. The stream errors with the signal's reason as soon as that ends it.
 */
export function wllamaLanguageModel(
  runner: WllamaRunner,
  choice: ModelChoice,
  modelId: string,
  fields: JsonObject = {},
): LanguageModelV4 {
  const doStream: LanguageModelV4['doStream'] = (options) => {
    const { abortSignal: signal } = options
    const left = new AbortController()
    const ended = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      async start(out) {
        out.enqueue({ type: 'stream-start', warnings: warningsOf(options) })
        const parts = partsInto(out)
        try {
          const end = await runner.write(
            choice,
            turnsOf(options.prompt),
            optionsOf(options, fields),
            parts.onTold,
            ended,
          )
          parts.close({ unified: end.reason, raw: end.reason }, usageOf(end))
        } catch (error) {
          if (left.signal.aborted) return
          if (signal?.aborted) return out.error(signal.reason)
          out.enqueue({ type: 'error', error: ownFailure(error) })
          parts.close({ unified: 'error', raw: undefined }, usageOf(null))
        }
      },
      cancel: (reason) => left.abort(reason),
    })
    return Promise.resolve({ stream })
  }
  return {
    specificationVersion: 'v4',
    provider: 'wllama',
    modelId,
    supportedUrls: {},
    doStream,
    doGenerate: (options) => collect(doStream, options),
  }
}

const codes: Readonly<Record<string, ModelFailure['code']>> = {
  'wllama.too-long': 'too-long',
  'wllama.no-text': 'bad-response',
  'wllama.load-stalled': 'stalled',
  'wllama.gone': 'not-found',
  'wllama.removed': 'not-found',
  'wllama.pick-again': 'not-found',
}

/** A refusal of ours already says what to do; other errors are handled like those of other models. */
export function ownFailure(error: unknown): Error {
  if (!(error instanceof AppError)) return error instanceof Error ? error : new Error(String(error))
  const { cause, values } = error
  // Of the worker's error only llama.cpp's own text is passed on.
  const own = typeof values['details'] === 'string' ? values['details'] : ''
  const detail = cause instanceof Error && cause.message !== error.message ? cause.message.slice(0, 2000) : own
  return new OwnFailure(refusedFailure(codes[error.reason] ?? 'unknown', error, detail), { cause: error })
}

function partsInto(out: ReadableStreamDefaultController<LanguageModelV4StreamPart>) {
  const id = '0'
  let isOpen = false
  const tell = (progress: WllamaProgress) => out.enqueue({ type: 'raw', rawValue: progress })
  return {
    onTold(this: void, notice: WllamaNotice): void {
      if (notice.kind === 'bytes') return tell({ loading: { done: notice.done, total: notice.total } })
      if (notice.kind === 'prefill') return tell({ prefill: { read: notice.read, total: notice.total } })
      if (!isOpen) out.enqueue({ type: 'text-start', id })
      isOpen = true
      out.enqueue({ type: 'text-delta', id, delta: notice.text })
    },
    close(finishReason: LanguageModelV4FinishReason, usage: LanguageModelV4Usage): void {
      if (isOpen) out.enqueue({ type: 'text-end', id })
      out.enqueue({ type: 'finish', finishReason, usage })
      out.close()
    },
  }
}

function warningsOf({ tools, prompt }: LanguageModelV4CallOptions): SharedV4Warning[] {
  const hasFiles = prompt.some(
    ({ content }) => typeof content !== 'string' && content.some((part) => part.type === 'file'),
  )
  return [
    ...(tools && tools.length > 0 ? [{ type: 'unsupported' as const, feature: 'tools' }] : []),
    ...(hasFiles ? [{ type: 'unsupported' as const, feature: 'files' }] : []),
  ]
}

/** Text only: in a text strategy a call is text, and a result is a user message. */
function turnsOf(prompt: LanguageModelV4Prompt): readonly ChatTurn[] {
  return prompt.flatMap((message): ChatTurn[] => {
    if (message.role === 'system') return [{ role: 'system', content: message.content }]
    if (message.role === 'tool') return []
    const content = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return [{ role: message.role, content }]
  })
}

function optionsOf(options: LanguageModelV4CallOptions, fields: JsonObject): WriteOptions {
  const { maxOutputTokens, temperature, topP, topK, seed, stopSequences, responseFormat, providerOptions } = options
  const { grammar, minP } = { ...fields, ...providerOptions?.['wllama'] } as {
    readonly grammar?: unknown
    readonly minP?: unknown
  }
  return {
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(typeof minP === 'number' && { minP }),
    ...(seed !== undefined && { seed }),
    ...(stopSequences !== undefined && stopSequences.length > 0 && { stop: stopSequences }),
    ...(typeof grammar === 'string' && { grammar }),
    ...(responseFormat?.type === 'json' &&
      responseFormat.schema && { jsonSchema: responseFormat.schema as JsonObject }),
  }
}

const usageOf = (end: WriteEnd | null): LanguageModelV4Usage => {
  const [read, reused, written] = [end?.read ?? undefined, end?.reused ?? undefined, end?.written ?? undefined]
  return {
    inputTokens: {
      total: read === undefined ? undefined : read + (reused ?? 0),
      noCache: read,
      cacheRead: reused,
      cacheWrite: undefined,
    },
    outputTokens: { total: written, text: written, reasoning: undefined },
  }
}

async function collect(
  doStream: LanguageModelV4['doStream'],
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4GenerateResult> {
  let text = ''
  const reader = (await doStream(options)).stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error('the stream ended without a finish')
    if (value.type === 'text-delta') text += value.delta
    if (value.type === 'error') throw value.error
    if (value.type !== 'finish') continue
    const { finishReason, usage } = value
    return { content: text === '' ? [] : [{ type: 'text', text }], finishReason, usage, warnings: warningsOf(options) }
  }
}

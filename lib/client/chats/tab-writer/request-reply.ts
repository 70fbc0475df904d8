import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import type { BrowserModel } from '@/lib/client/browser-models/browser-model'
import { endBrokenOff, endByReason } from '@/lib/shared/conversation/reply-end'
import type { TabEnd, TabPrompt } from '@/lib/shared/conversation/wire/tab-run'
import { describeFailure } from '@/lib/shared/models/failure'
import { withNativeTools } from '@/lib/shared/models/native-model'

export type ModelEnd = Pick<TabEnd, 'outcome' | 'failure' | 'usage'>

/** The model's progress before its first token: tokens read, or bytes loaded. */
export interface ModelProgress {
  readonly doing: 'loading' | 'reading'
  readonly done: number
  readonly total: number
}

export interface RequestReplyPorts {
  readonly runId: string
  readonly write: (channel: 'text' | 'reasoning', text: string) => void
  /** Called before the first token. */
  readonly onProgress?: (progress: ModelProgress) => void
  /** Aborted: the reply was stopped, for any reason. */
  readonly signal: AbortSignal
}

const stopped: ModelEnd = { outcome: 'stopped', failure: null, usage: null }

/**
 * Lets a browser model write one reply and says how it ended. `fields`: the request fields that enforce a format. Never
 * rejects; ends promptly when stopped.
 */
export async function requestReply(
  model: BrowserModel,
  { prompt, nativeTools, stops = [] }: Pick<TabPrompt, 'prompt' | 'nativeTools' | 'stops'>,
  { runId, write, onProgress, signal }: RequestReplyPorts,
  fields?: JsonObject,
): Promise<ModelEnd> {
  let wrote = false
  const { label } = model.info
  const gone = Promise.withResolvers<never>()
  // A model that ignores the abort is abandoned.
  const onAbort = () => gone.reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  gone.promise.catch(() => {})
  try {
    signal.throwIfAborted()
    const asked = withNativeTools(model.languageModel(fields), nativeTools)
    // The options let a model with several replies at once tell them apart.
    const options = {
      prompt,
      abortSignal: signal,
      providerOptions: { nod: { runId } },
      ...(stops.length > 0 && { stopSequences: [...stops] }),
    }
    const { stream } = await Promise.race([asked.doStream(options), gone.promise])
    const reader = stream.getReader()
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), gone.promise])
        if (done) return { ...endBrokenOff(label), usage: null }
        const words = wordsOf(value)
        if (words) {
          wrote ||= words.text !== ''
          write(words.channel, words.text)
        } else if (value.type === 'error') throw value.error
        else if (value.type === 'finish') return endOf(value.finishReason, value.usage, label)
        else if (value.type === 'raw') reportProgressOf(value.rawValue, onProgress)
      }
    } finally {
      void reader.cancel().catch(() => {})
    }
  } catch (error) {
    if (signal.aborted) return stopped
    return { outcome: 'failed', failure: describeFailure(error, model.info, wrote), usage: null }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function wordsOf(
  part: LanguageModelV4StreamPart,
): { readonly channel: 'text' | 'reasoning'; readonly text: string } | null {
  if (part.type === 'text-delta') return { channel: 'text', text: part.delta }
  return part.type === 'reasoning-delta' ? { channel: 'reasoning', text: part.delta } : null
}

function reportProgressOf(raw: unknown, tell: RequestReplyPorts['onProgress']): void {
  const { loading, prefill } = (raw ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
  const [done, total] = prefill ? [prefill['read'], prefill['total']] : [loading?.['done'], loading?.['total']]
  if (typeof done !== 'number' || typeof total !== 'number' || !(total > 0)) return
  tell?.({ doing: prefill ? 'reading' : 'loading', done: Math.min(total, Math.max(0, done)), total })
}

function endOf({ unified, raw }: LanguageModelV4FinishReason, counted: LanguageModelV4Usage, label: string): ModelEnd {
  const cached = count(counted.inputTokens.cacheRead)
  const usage = {
    inputTokens: count(counted.inputTokens.total),
    outputTokens: count(counted.outputTokens.total),
    ...(cached !== null && { cachedInputTokens: cached }),
  }
  return { ...endByReason(unified, raw, label), usage }
}

const count = (tokens: number | undefined): number | null =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : null

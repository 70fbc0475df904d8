import type { OpenAICompatibleProviderSettings } from '@ai-sdk/openai-compatible'
import { isRecord } from '@/lib/base/is-record'

type Settings = Required<Pick<OpenAICompatibleProviderSettings, 'convertUsage' | 'metadataExtractor'>>

const countIn = (value: unknown, name: string): number | undefined => {
  const count = isRecord(value) ? value[name] : undefined
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/**
 * Tokens of the prompt that the server still had from before: `usage.prompt_tokens_details.cached_tokens` (OpenAI, vLLM,
 * SGLang and others), or `timings.cache_n` beside the usage (llama.cpp). Where neither is said it stays unknown: the package
 * alone would call that none. For the requests of one model.
 */
export function cacheCounts(): Settings {
  let fromTimings: number | undefined
  const look = (chunk: unknown) => {
    if (isRecord(chunk)) fromTimings = countIn(chunk['timings'], 'cache_n') ?? fromTimings
  }
  return {
    metadataExtractor: {
      extractMetadata({ parsedBody }) {
        fromTimings = undefined
        look(parsedBody)
        return Promise.resolve(undefined)
      },
      createStreamExtractor() {
        fromTimings = undefined
        return { processChunk: look, buildMetadata: () => undefined }
      },
    },
    convertUsage(usage) {
      const input = usage?.prompt_tokens ?? undefined
      const output = usage?.completion_tokens ?? undefined
      const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined
      const cacheRead = countIn(usage?.prompt_tokens_details, 'cached_tokens') ?? fromTimings
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
    },
  }
}

import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { isRecord } from '@/lib/base/is-record'

const countIn = (value: unknown, name: string): number | undefined => {
  const count = isRecord(value) ? value[name] : undefined
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/**
 * Tokens of a reply, from the last `usage` that its server sent and from `timings` (llama.cpp). What is no count is not known.
 * Tokens that the server still had from before: `usage.prompt_tokens_details.cached_tokens` (OpenAI, vLLM, SGLang and others), or
 * `timings.cache_n` beside the usage.
 */
export function usageOf(usage: unknown, timings: unknown): LanguageModelV4Usage {
  const details = isRecord(usage) ? usage : {}
  const input = countIn(usage, 'prompt_tokens')
  const output = countIn(usage, 'completion_tokens')
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

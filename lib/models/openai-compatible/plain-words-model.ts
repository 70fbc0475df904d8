import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createWordStream, type WordStream } from './word-stream'

/** By it a request is known to be that of a call; it never leaves this process. */
const CALL = 'x-nod-call'

/**
 * A model of the vendor's package that makes the request and reads all that is not plain words: ends, usage, tool calls,
 * errors. Words are read here, as nearly every event holds nothing else: the package decodes, parses, checks and maps
 * each one in four streams.
 */
export function withPlainWords(
  fetch: typeof globalThis.fetch,
  makeModel: (fetch: typeof globalThis.fetch) => LanguageModelV4,
): LanguageModelV4 {
  const calls = new Map<string, WordStream>()
  let made = 0

  const model = makeModel(async (input, init) => {
    const headers = new Headers(init?.headers)
    const call = calls.get(headers.get(CALL) ?? '')
    headers.delete(CALL)
    const response = await fetch(input, { ...init, headers })
    if (!call || !response.ok || response.body === null) return response
    const { status, statusText } = response
    return new Response(call.split(response.body), { status, statusText, headers: response.headers })
  })

  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      // Whoever wants the events themselves gets them all.
      if (options.includeRawChunks === true) return model.doStream(options)
      const id = String((made += 1))
      const words = createWordStream()
      calls.set(id, words)
      try {
        const result = await model.doStream({ ...options, headers: { ...options.headers, [CALL]: id } })
        return { ...result, stream: words.join(result.stream) }
      } finally {
        calls.delete(id)
      }
    },
  }
}

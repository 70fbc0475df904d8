import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Grammar, Random } from '@/lib/protocols/grammar/grammar'
import { walk, type Walked, type WalkOptions } from '@/lib/protocols/testing/walk-grammar'

export interface GrammarModelPorts extends WalkOptions {
  readonly random: Random
  /** Called with each reply's content before it is streamed. */
  readonly said?: (reply: Walked) => void
}

/**
 * A model without weights: each reply is a random walk of the grammar, streamed in pieces of one to seven units. It
 * writes every call that the grammar allows, so that all code that reads, stores and shows replies is tested with them.
 */
export function createGrammarModel(grammar: Grammar, { random, said, ...options }: GrammarModelPorts): LanguageModelV4 {
  const reply = (): Walked => {
    const walked = walk(grammar, random, options)
    said?.(walked)
    return walked
  }
  const usageOf = ({ text }: Walked) => ({
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: text.length, text: text.length, reasoning: undefined },
  })
  const finishReason = { unified: 'stop', raw: undefined } as const
  return {
    specificationVersion: 'v4',
    provider: 'grammar',
    modelId: 'grammar',
    supportedUrls: {},
    doGenerate: () => {
      const walked = reply()
      const content = walked.text === '' ? [] : [{ type: 'text' as const, text: walked.text }]
      return Promise.resolve({ content, finishReason, usage: usageOf(walked), warnings: [] })
    },
    doStream: ({ abortSignal }) => {
      const walked = reply()
      const pieces = piecesOf(walked.text, random)
      let at = 0
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(out) {
          out.enqueue({ type: 'stream-start', warnings: [] })
          if (pieces.length > 0) out.enqueue({ type: 'text-start', id: '0' })
        },
        pull(out) {
          if (abortSignal?.aborted === true) return out.error(abortSignal.reason)
          const delta = pieces[at++]
          if (delta !== undefined) return out.enqueue({ type: 'text-delta', id: '0', delta })
          if (pieces.length > 0) out.enqueue({ type: 'text-end', id: '0' })
          out.enqueue({ type: 'finish', finishReason, usage: usageOf(walked) })
          out.close()
        },
      })
      return Promise.resolve({ stream })
    },
  }
}

function piecesOf(text: string, random: Random): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length;) {
    const end = at + 1 + random.int(7)
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}

import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { filterAtSource, type PartFilter } from '@/lib/models/filter-at-source'

/** Takes a piece of the reply the moment it is read. */
export type TakeWords = (channel: 'text' | 'reasoning', text: string) => void

/**
 * The same model, whose words go to `take` straight from where they are read; the SDK makes the call and gets all other
 * parts: prompt, finish, usage, errors and aborts are its own. A word would else pass four more streams. The first word
 * goes to the SDK too, which is to be left there: it judges a stream that breaks off by whether there was any.
 * `isAlive` is told of every part, also of those without words.
 */
export function withDirectWords(model: LanguageModelV4, take: TakeWords, isAlive: () => void): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const result = await doStream()
        return { ...result, stream: filtered(result.stream, createTaker(take, isAlive)) }
      },
    },
  })
}

/** Takes words; they go on up to and with the first one, all else goes on. */
function createTaker(take: TakeWords, isAlive: () => void): PartFilter {
  let wasSaid = false
  /** What comes after an error or the end is nobody's. */
  let isOver = false
  return (part) => {
    isAlive()
    // Signs of life have done their work.
    if (part.type === 'raw') return false
    if (part.type === 'error' || part.type === 'finish') isOver = true
    if (isOver || (part.type !== 'text-delta' && part.type !== 'reasoning-delta')) return true
    take(part.type === 'text-delta' ? 'text' : 'reasoning', part.delta)
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

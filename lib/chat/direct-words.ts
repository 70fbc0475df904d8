import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'

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
        return { ...result, stream: withoutWords(result.stream, take, isAlive) }
      },
    },
  })
}

function withoutWords(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  take: TakeWords,
  isAlive: () => void,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = parts.getReader()
  let wasSaid = false
  /** What comes after an error or the end is nobody's. */
  let isOver = false
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          isAlive()
          if (value.type === 'error' || value.type === 'finish') isOver = true
          if (isOver) return controller.enqueue(value)
          if (value.type === 'text-delta') take('text', value.delta)
          else if (value.type === 'reasoning-delta') take('reasoning', value.delta)
          else return controller.enqueue(value)
          if (wasSaid || value.delta === '') continue
          wasSaid = true
          return controller.enqueue(value)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

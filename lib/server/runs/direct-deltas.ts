import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { filterAtSource, type PartFilter } from '@/lib/shared/models/filter-at-source'
import { metadataOf } from '@/lib/shared/models/native-model'
import { BESIDE_OPENER } from '@/lib/protocols/framed-calls/frame'
import { FrameWriter } from '@/lib/protocols/framed-calls/frame-writer'

/** Takes a piece of the reply the moment it is read. */
export type TakeTextDelta = (channel: 'text' | 'reasoning', text: string) => void

/**
 * The same model, whose words go to `take` straight from where they are read; the SDK makes the call and gets all other
 * parts: prompt, finish, usage, errors and aborts are its own. A word would else pass four more streams. The first word
 * goes to the SDK too, which is to be left there: it judges a stream that breaks off by whether there was any.
 * `isAlive` is told of every part, also of those without words. `frames`: calls that the provider sends though none was
 * offered are written into the text as frames; where the provider's calls are asked for, they are frames already.
 */
export function withDirectDeltas(
  model: LanguageModelV4,
  take: TakeTextDelta,
  isAlive: () => void,
  frames: boolean,
): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const result = await doStream()
        return {
          ...result,
          stream: filtered(result.stream, createTaker(frames ? framing(take) : taking(take), isAlive)),
        }
      },
    },
  })
}

type Take = (part: LanguageModelV4StreamPart) => void

const taking =
  (take: TakeTextDelta): Take =>
  (part) => {
    if (part.type === 'text-delta') take('text', part.delta)
    else if (part.type === 'reasoning-delta') take('reasoning', part.delta)
  }

/** Writes the provider's own calls into the text. */
function framing(take: TakeTextDelta): Take {
  const writer = new FrameWriter(BESIDE_OPENER)
  return (part) => {
    switch (part.type) {
      case 'text-delta':
        take('text', writer.text(part.delta))
        break
      case 'reasoning-delta':
        take('reasoning', part.delta)
        break
      case 'tool-input-start':
        if (part.providerExecuted !== true) take('text', writer.inputStart(part.id, part.toolName))
        break
      case 'tool-input-delta':
        take('text', writer.inputDelta(part.id, part.delta))
        break
      case 'tool-call':
        if (part.providerExecuted !== true)
          take('text', writer.call(part.toolCallId, part.toolName, part.input, metadataOf(part)))
        break
      case 'finish':
      case 'error':
        take('text', writer.end())
        break
      default:
    }
  }
}

/** Gives parts to `take`; words go on up to and with the first one, all else goes on. */
function createTaker(take: Take, isAlive: () => void): PartFilter {
  let wasSaid = false
  /** What comes after an error or the end is nobody's. */
  let isOver = false
  return (part) => {
    isAlive()
    // Signs of life have done their work.
    if (part.type === 'raw') return false
    if (!isOver) take(part)
    if (part.type === 'error' || part.type === 'finish') isOver = true
    if (isOver || (part.type !== 'text-delta' && part.type !== 'reasoning-delta')) return true
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

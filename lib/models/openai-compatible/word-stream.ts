import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { PlainWords } from './plain-chunk'
import { createPlainEvents } from './plain-events'
import { offerFilter, type PartFilter } from '../filter-at-source'

type Part = LanguageModelV4StreamPart

/** One body of server-sent events on two ways: its words straight to the reader, all else by the vendor's package. */
export interface WordStream {
  /** What the package is given in the place of the body: nothing of its plain events but what says which reply it is. */
  split(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** The package's parts, with the words in their place among them. */
  join(parts: ReadableStream<Part>): ReadableStream<Part>
}

/** Parts that may wait for a slow reader; the body then waits too. */
const HIGH_WATER = 16

export function createWordStream(): WordStream {
  let source: ReturnType<typeof readBody> | null = null

  return {
    split(body) {
      source = readBody(body)
      return source.rest
    },

    join(parts) {
      const reader = parts.getReader()
      const blocks = createBlocks()
      let goesOn: PartFilter = () => true
      let hasBegun = false
      let isOver = false
      let waiting: (() => void)[] = []
      const goOn = () => {
        const all = waiting
        waiting = []
        for (const one of all) one()
      }

      async function pumpAll(controller: ReadableStreamDefaultController<Part>): Promise<void> {
        const push = (part: Part) => {
          if (!isOver && goesOn(part)) controller.enqueue(part)
        }
        /** Resolves once the reader has taken enough. */
        const room = () =>
          isOver || (controller.desiredSize ?? 0) > -HIGH_WATER
            ? null
            : new Promise<void>((resolve) => {
                waiting.push(resolve)
              })
        const forward = async () => {
          for (;;) {
            const { done, value } = await reader.read()
            if (done) break
            if (!isQuiet(value)) blocks.end(push)
            push(value)
            await room()
          }
          if (!isOver) controller.close()
          isOver = true
        }
        // `stream-start` comes before anything of the body.
        const first = await reader.read()
        if (first.value) push(first.value)
        const words = source?.pump((said) => {
          for (const one of said) blocks.say(one, push)
          return room()
        })
        await Promise.all([words, forward()])
      }

      const joined = new ReadableStream<Part>(
        {
          pull(controller) {
            goOn()
            if (hasBegun) return
            hasBegun = true
            pumpAll(controller).catch((error: unknown) => {
              if (!isOver) controller.error(error)
              isOver = true
            })
          },
          async cancel(reason) {
            isOver = true
            goOn()
            await reader.cancel(reason)
          },
        },
        // Nothing is read before somebody reads: until then a filter may come.
        { highWaterMark: 0 },
      )
      offerFilter(joined, (filter) => {
        if (!hasBegun) goesOn = filter
        return !hasBegun
      })
      return joined
    },
  }
}

/** Parts between which a text may go on. */
const isQuiet = ({ type }: Part) => type === 'stream-start' || type === 'response-metadata' || type === 'raw'

/** Reads the plain beginning of a body; `rest` is what is left, byte for byte. */
function readBody(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  const events = createPlainEvents()
  const { promise: isRest, resolve: restBegins } = Promise.withResolvers<void>()
  let side: ReadableStreamDefaultController<Uint8Array> | null = null
  const rest = new ReadableStream<Uint8Array>({
    start(controller) {
      side = controller
    },
    async pull(controller) {
      await isRest
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel(reason) {
      restBegins()
      await reader.cancel(reason)
    },
  })

  return {
    rest,
    async pump(say: (words: readonly PlainWords[]) => Promise<void> | null): Promise<void> {
      try {
        for (;;) {
          const { done, value } = await reader.read()
          const found = done ? null : events.read(value)
          if (found?.first) side?.enqueue(metadataOf(found.first))
          const full = found && found.words.length > 0 ? say(found.words) : null
          if (full) await full
          if (found?.rest === null) continue
          const left = found?.rest ?? events.left()
          if (left.length > 0) side?.enqueue(left)
          return restBegins()
        }
      } catch (error) {
        // The package says what it means that a body breaks.
        side?.error(error)
      }
    },
  }
}

/** The same event without its words. */
function metadataOf(first: string): Uint8Array {
  const { id, created, model } = JSON.parse(first) as Readonly<Record<string, unknown>>
  return new TextEncoder().encode(`data: ${JSON.stringify({ id, created, model, choices: [] })}\n\n`)
}

/** Words as parts: each run of one channel is a block with a beginning and an end. */
function createBlocks() {
  let open: { readonly channel: 'text' | 'reasoning'; readonly id: string } | null = null
  let made = 0

  function end(push: (part: Part) => void): void {
    if (open) push({ type: `${open.channel}-end`, id: open.id })
    open = null
  }

  function write(channel: 'text' | 'reasoning', delta: string, push: (part: Part) => void): void {
    if (delta === '') return
    if (open?.channel !== channel) {
      end(push)
      open = { channel, id: `words-${(made += 1)}` }
      push({ type: `${channel}-start`, id: open.id })
    }
    push({ type: `${channel}-delta`, id: open.id, delta })
  }

  return {
    end,
    say({ reasoning, text }: PlainWords, push: (part: Part) => void): void {
      write('reasoning', reasoning, push)
      write('text', text, push)
    },
  }
}

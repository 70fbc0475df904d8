import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { monotonicClock } from '@/lib/base/clocks'
import { createReplyReader, type ReplyState } from './reply-reader'

/** Hears each part when it is made, and says whether it continues. */
export type PartFilter = (part: LanguageModelV4StreamPart) => boolean

type Parts = ReadableStream<LanguageModelV4StreamPart>

const takers = new WeakMap<Parts, (filter: PartFilter) => boolean>()

/** For who makes a stream: `take` is given a filter for all that is to go into it, and says whether it is in time. */
const offerFilter = (parts: Parts, take: (filter: PartFilter) => boolean): void => {
  takers.set(parts, take)
}

/**
 * Filters a stream where its parts are made, so that those that do not go on never pass it. False: this stream cannot, or
 * has begun; anyone who reads it has to filter.
 */
export const filterAtSource = (parts: Parts, filter: PartFilter): boolean => takers.get(parts)?.(filter) ?? false

type Part = LanguageModelV4StreamPart

/** After a finish reason a server may still send its usage; some then keep the connection open, and nothing more comes. */
const GRACE_MS = 1_000
/** Signs of life between two words: not more often than this. */
const ALIVE_EVERY_MS = 500

/** How a server shows that it is at work while no word comes. */
export const aliveSign: Part = { type: 'raw', rawValue: { alive: true } }

/**
 * The body of a reply as parts. Any byte shows life: where no word comes of it, a part `aliveSign` does. It closes the
 * connection as soon as the reply is over, no matter who keeps it open.
 */
export function replyStream(body: ReadableStream<Uint8Array>, provider: string): ReadableStream<Part> {
  const source = body.getReader()
  let goesOn: PartFilter = () => true
  let out: ReadableStreamDefaultController<Part> | null = null
  let hasBegun = false
  let isCancelled = false
  /** Of what is read now: something came of it; something continued to anyone who reads. */
  let hasSaid = false
  let isPassedOn = false
  let aliveAt = Number.NEGATIVE_INFINITY
  let state: ReplyState = 'written'
  let grace: ReturnType<typeof createGrace> | null = null

  const push = (part: Part) => {
    hasSaid = true
    if (isCancelled || !goesOn(part)) return
    out?.enqueue(part)
    isPassedOn = true
  }
  const reader = createReplyReader(provider, push)

  function showLife(): void {
    if (hasSaid || state === 'over') return
    const at = monotonicClock()
    if (at - aliveAt < ALIVE_EVERY_MS) return
    aliveAt = at
    push(aliveSign)
  }

  function close(): void {
    state = 'over'
    grace?.cancel()
    if (!isCancelled) out?.close()
    source.cancel().catch(() => {})
  }

  async function readOn(): Promise<void> {
    const next = source.read()
    const step = grace ? await Promise.race([next, grace.over]) : await next
    if (step === 'nothing came') next.catch(() => {})
    if (step === 'nothing came' || step.done) {
      reader.end()
      return close()
    }
    hasSaid = false
    state = reader.read(step.value)
    if (state === 'over') return close()
    if (state === 'closing' && (hasSaid || !grace)) {
      grace?.cancel()
      grace = createGrace()
    }
    showLife()
  }

  const parts = new ReadableStream<Part>(
    {
      async pull(controller) {
        out = controller
        if (!hasBegun) {
          hasBegun = true
          push({ type: 'stream-start', warnings: [] })
        }
        isPassedOn = false
        try {
          for (;;) {
            if (isPassedOn || isCancelled || state === 'over') return
            await readOn()
          }
        } catch (error) {
          // The reply is whole: how its connection ended does not matter.
          if (state !== 'closing') throw error
          reader.end()
          close()
        }
      },
      async cancel(reason) {
        isCancelled = true
        grace?.cancel()
        await source.cancel(reason)
      },
    },
    // Nothing is read before someone reads: until then a filter may come.
    { highWaterMark: 0 },
  )
  offerFilter(parts, (filter) => {
    if (!hasBegun) goesOn = filter
    return !hasBegun
  })
  return parts
}

function createGrace() {
  const { promise: over, resolve } = Promise.withResolvers<'nothing came'>()
  const timer = setTimeout(() => resolve('nothing came'), GRACE_MS)
  return { over, cancel: () => clearTimeout(timer) }
}

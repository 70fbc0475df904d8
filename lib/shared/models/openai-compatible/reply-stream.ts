import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { monotonicClock } from '@/lib/base/clocks'
import { createReplyReader, type ReplyState } from './reply-reader'

/** Called for each part when it is created; returns whether it is passed on. */
export type PartFilter = (part: LanguageModelV4StreamPart) => boolean

type Parts = ReadableStream<LanguageModelV4StreamPart>

const takers = new WeakMap<Parts, (filter: PartFilter) => boolean>()

/** For the creator of a stream: `take` gets a filter for all parts, and returns whether it is in time. */
const offerFilter = (parts: Parts, take: (filter: PartFilter) => boolean): void => {
  takers.set(parts, take)
}

/**
 * Filters a stream where its parts are created, so that dropped parts never enter it. False: this stream can't, or has
 * begun; the reader must filter.
 */
export const filterAtSource = (parts: Parts, filter: PartFilter): boolean => takers.get(parts)?.(filter) ?? false

type Part = LanguageModelV4StreamPart

/** After a finish reason a server may still send its usage; some then keep the connection open without sending more. */
const GRACE_MS = 1_000
/** The shortest interval between signs of life without text. */
const ALIVE_EVERY_MS = 500

/** The part that shows that a server is working while no text comes. */
export const aliveSign: Part = { type: 'raw', rawValue: { alive: true } }

/**
 * The body of a reply as parts. Any byte is a sign of life: if it brings no text, a part `aliveSign` is sent. The
 * connection is closed as soon as the reply is complete, no matter who keeps it open.
 */
export function replyStream(body: ReadableStream<Uint8Array>, provider: string): ReadableStream<Part> {
  const source = body.getReader()
  let continues: PartFilter = () => true
  let out: ReadableStreamDefaultController<Part> | null = null
  let hasBegun = false
  let isCancelled = false
  /** For the current read: it brought something; something was passed on to the reader. */
  let hasReported = false
  let isPassedOn = false
  let aliveAt = Number.NEGATIVE_INFINITY
  let state: ReplyState = 'written'
  let grace: ReturnType<typeof createGrace> | null = null

  const push = (part: Part) => {
    hasReported = true
    if (isCancelled || !continues(part)) return
    out?.enqueue(part)
    isPassedOn = true
  }
  const reader = createReplyReader(provider, push)

  function showLife(): void {
    if (hasReported || state === 'over') return
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
    hasReported = false
    state = reader.read(step.value)
    if (state === 'over') return close()
    if (state === 'closing' && (hasReported || !grace)) {
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
          // The reply is complete: how its connection ended does not matter.
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
    // Nothing is read before the stream is read: until then a filter may be set.
    { highWaterMark: 0 },
  )
  offerFilter(parts, (filter) => {
    if (!hasBegun) continues = filter
    return !hasBegun
  })
  return parts
}

function createGrace() {
  const { promise: over, resolve } = Promise.withResolvers<'nothing came'>()
  const timer = setTimeout(() => resolve('nothing came'), GRACE_MS)
  return { over, cancel: () => clearTimeout(timer) }
}

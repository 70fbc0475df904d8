import { makeError } from '@/lib/i18n/t'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { RunEvent, QueuedLine } from '@/lib/shared/conversation/wire/run-event'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { RunStarter } from './chat-service-start'
import { addressSubject } from '@/lib/server/store/ports/store'
import { anonymousVisitor, type Visitor } from '../quota/rate'
import { waitFor, type Clock } from '../runs/clock'

/** Another writing process reports no more often than this. */
const LOOK_EVERY_MS = 2_000

interface Appearance {
  readonly place: number | null
  readonly alive: boolean
}

export type RunLines = AsyncGenerator<readonly (RunEvent | QueuedLine)[], void, undefined>

/**
 * Yields the same events, and before the first token also the changed places in the queue. A reply never returns to the
 * queue, so the first null is final; for a reply that never waited nothing is reported. Then reports once that the
 * model's server is alive.
 */
export async function* withPlaces(
  events: AsyncGenerator<readonly RunEvent[], void, undefined>,
  {
    placeOf,
    isAlive,
    clock,
  }: {
    readonly placeOf: () => Promise<number | null>
    /** Costs nothing to call. */
    readonly isAlive: () => boolean
    readonly clock: Clock
  },
): RunLines {
  const over = new AbortController()
  let reported: number | null = null
  let waits = true
  const look = async (ms: number): Promise<Appearance> => {
    if (ms > 0) await waitFor(clock, ms, over.signal)
    const place = waits && !over.signal.aborted ? await placeOf().catch(() => reported) : null
    return { place, alive: place === null && isAlive() }
  }
  let looking: ReturnType<typeof look> | null = look(0)
  let coming: Promise<IteratorResult<readonly RunEvent[], void>> | null = null
  try {
    for (;;) {
      coming ??= events.next()
      const next: IteratorResult<readonly RunEvent[], void> | Appearance = await (looking
        ? Promise.race([coming, looking])
        : coming)
      if ('place' in next) {
        const { place, alive }: Appearance = next
        if (place !== reported || alive) yield [{ type: 'queued', place, ...(alive && { isAlive: true }) }]
        reported = place
        waits = place !== null
        looking = alive ? null : look(LOOK_EVERY_MS)
        continue
      }
      coming = null
      if (next.done === true) return
      yield next.value
      if (looking && next.value.some(({ type }) => type !== 'start')) {
        looking = null
        over.abort()
      }
    }
  } finally {
    over.abort()
    await events.return()
  }
}

/** The event arrays are shared between readers of one run and must not be changed. */
export type RunEvents = AsyncGenerator<readonly RunEvent[], void, undefined>

export interface RunViews {
  /**
   * Yields all available events at once. Rejects before the first one if the run is unknown or belongs to another
   * owner.
   */
  events(owner: string, runId: string, after: number, signal: AbortSignal, visitor?: Visitor): Promise<RunEvents>
  /** Like `events`, with the place in the queue while the reply waits. */
  watch(owner: string, runId: string, after: number, signal: AbortSignal, visitor?: Visitor): Promise<RunLines>
  stop(owner: string, runId: string): Promise<void>
}

/** Reading and stopping replies from outside. */
export function createRunViews(
  {
    store,
    runLog,
    limits,
    observer,
    clock,
  }: Pick<ChatServicePorts, 'store' | 'runLog' | 'limits' | 'observer' | 'clock'>,
  { isLeaving, placeOf, isAlive }: Pick<RunStarter, 'isLeaving' | 'placeOf' | 'isAlive'>,
): RunViews {
  const ofOwner = createOwnerSlots(limits.maxStreamsPerOwner)
  const ofAddress = createOwnerSlots(limits.fair.maxStreamsPerAddress)
  /** Takes a reader slot of the owner and of the address. Throws if either has none left. */
  const restoreScroll = (owner: string, { address }: Visitor): (() => void) => {
    const free = ofOwner.take(owner)
    if (!free) throw makeError('rate-limited', 'chat.too-many-views', { count: limits.maxStreamsPerOwner })
    if (address === null) return free
    const freeOfAddress = ofAddress.take(addressSubject(address))
    if (!freeOfAddress) {
      free()
      const count = limits.fair.maxStreamsPerAddress
      throw makeError('rate-limited', 'chat.too-many-views-of-address', { count })
    }
    return () => {
      free()
      freeOfAddress()
    }
  }
  const views: RunViews = {
    async events(owner, runId, after, signal, visitor = anonymousVisitor) {
      // A reader that was admitted before shutdown is not refused: its stream ends, and the client reconnects.
      const isLate = isLeaving()
      const run = await store.loadRun({ owner, runId })
      if (!run) throw makeError('not-found', 'chat.no-reply')
      if (isLate && !runLog.active.has(runId)) {
        throw makeError('unavailable', 'chat.restarting-view')
      }
      const free = restoreScroll(owner, visitor)
      observer.readers(1)
      const leave = () => {
        observer.readers(-1)
        free()
      }
      const summary = () => store.summariseConversation(owner, run.conversationId)
      return untilClosed(withSummary(runLog.read({ owner, runId }, after, signal), summary), signal, leave)
    },

    async watch(owner, runId, after, signal, visitor) {
      const events = await views.events(owner, runId, after, signal, visitor)
      return withPlaces(events, { placeOf: () => placeOf({ owner, runId }), isAlive: () => isAlive(runId), clock })
    },

    async stop(owner, runId) {
      if (!(await store.loadRun({ owner, runId }))) throw makeError('not-found', 'chat.no-reply')
      await runLog.stop({ owner, runId })
      await runLog.recoverIfDead({ owner, runId })
    },
  }
  return views
}

/** Yields the same events; the last one contains the chat's list entry. */
async function* withSummary(events: RunEvents, summarise: () => Promise<ConversationSummary | null>): RunEvents {
  for await (const some of events) {
    const end = some.at(-1)
    const summary = end?.type === 'end' ? await summarise().catch(() => null) : null
    yield end?.type === 'end' && summary ? [...some.slice(0, -1), { ...end, summary }] : some
  }
}

/**
 * Yields the same events and calls `close` once, however the reading ends. A generator's own `finally` would miss a
 * generator that never started.
 */
function untilClosed(events: RunEvents, signal: AbortSignal, close: () => void): RunEvents {
  let open = true
  const once = () => {
    if (open) close()
    open = false
    signal.removeEventListener('abort', once)
  }
  signal.addEventListener('abort', once)
  const guarded = async (step: Promise<IteratorResult<readonly RunEvent[], void>>) => {
    try {
      const result = await step
      if (result.done === true) once()
      return result
    } catch (error) {
      once()
      throw error
    }
  }
  return {
    next: () => guarded(events.next()),
    return: () => guarded(events.return()),
    throw: (error) => guarded(events.throw(error)),
    [Symbol.asyncIterator]() {
      return this
    },
    async [Symbol.asyncDispose]() {
      await this.return()
    },
  }
}

/** Limits concurrent readers of one owner, or of one address. */
interface OwnerSlots {
  /** Returns a function that frees the slot (call it once), or null if the owner uses all of theirs. */
  take(owner: string): (() => void) | null
}

function createOwnerSlots(max: number): OwnerSlots {
  const taken = new Map<string, number>()
  return {
    take(owner) {
      const held = taken.get(owner) ?? 0
      if (held >= max) return null
      taken.set(owner, held + 1)
      return () => {
        const left = (taken.get(owner) ?? 1) - 1
        if (left > 0) taken.set(owner, left)
        else taken.delete(owner)
      }
    },
  }
}

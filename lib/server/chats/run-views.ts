import { makeError } from '@/lib/i18n/t'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { RunStarter } from './chat-service-start'
import { addressSubject } from '@/lib/server/store/ports/store'
import { anonymousVisitor, type Visitor } from '../quota/rate'
import { withPlaces, type RunLines } from '../runs/with-lineage'

/** Lists that views of one run share: not to be changed. */
export type RunEvents = AsyncGenerator<readonly RunEvent[], void, undefined>

export interface RunViews {
  /** As many events at a time as there are. Rejects before the first one when the run is unknown or foreign. */
  events(owner: string, runId: string, after: number, signal: AbortSignal, visitor?: Visitor): Promise<RunEvents>
  /** The same, and where the reply stands in the queue while it waits there. */
  watch(owner: string, runId: string, after: number, signal: AbortSignal, visitor?: Visitor): Promise<RunLines>
  stop(owner: string, runId: string): Promise<void>
}

/** Replies as they are watched, and stopped, from outside. */
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
  /** A place among the views of an owner, and of all who come from there. Throws where either has none. */
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
      // Who was let in before nothing more comes in is not refused in the moment of it: what is read then ends, to be gone on with.
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

/** The same events; the last one says how the chat stands in the list by then. */
async function* withSummary(events: RunEvents, summarise: () => Promise<ConversationSummary | null>): RunEvents {
  for await (const some of events) {
    const end = some.at(-1)
    const summary = end?.type === 'end' ? await summarise().catch(() => null) : null
    yield end?.type === 'end' && summary ? [...some.slice(0, -1), { ...end, summary }] : some
  }
}

/**
 * The same events; `close` is called once, however the reading ends: also when it never began, which a generator's own
 * `finally` would not see.
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

/** So many at a time for each owner, or for all of one address. */
interface OwnerSlots {
  /** Gives what frees the slot (to be called once), or null when the owner has all of theirs. */
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

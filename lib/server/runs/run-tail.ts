import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'

/** The newest events of one run in memory, each one object for all who read it. */
export interface RunTail {
  push(events: readonly RunEvent[]): void
  /** The store has all up to `seq`: the older ones of them may be forgotten here. */
  kept(seq: number): void
  /** Nothing comes any more; what is here can still be read. */
  close(): void
  readonly isClosed: boolean
  readonly lastSeq: number
  /**
   * What is here above `after`, one list for all who stand there; empty: nothing yet. Null: it begins before what is here,
   * and is in the store.
   */
  since(after: number): readonly RunEvent[] | null
}

/** A view that falls behind by more reads on from the store; so a reply of any length takes little memory. */
const REMEMBERED = 256

/** `reply`: as the append stored it; left out: it is in the store alone. */
export function createRunTail(reply?: AssistantMessage): RunTail {
  let events: RunEvent[] = reply ? [{ seq: 1, type: 'start', message: reply }] : []
  /** The number before the first of `events`. */
  let before = reply ? 0 : 1
  let keptSeq = 1
  let isClosed = false
  let answered: { readonly after: number; readonly upTo: number; readonly events: readonly RunEvent[] } | null = null
  const last = () => before + events.length

  /** Seldom, and then many at once: not a copy for each event. */
  function forget(): void {
    const count = Math.min(events.length - REMEMBERED, keptSeq - before)
    if (count < REMEMBERED) return
    events = events.slice(count)
    before += count
  }

  return {
    push(added) {
      for (const event of added) events.push(event)
      forget()
    },
    kept(seq) {
      keptSeq = Math.max(keptSeq, seq)
      forget()
    },
    close() {
      isClosed = true
    },
    get isClosed() {
      return isClosed
    },
    get lastSeq() {
      return last()
    },
    since(after) {
      if (after < before) return null
      const upTo = last()
      if (answered?.after === after && answered.upTo === upTo) return answered.events
      answered = { after, upTo, events: events.slice(after - before) }
      return answered.events
    },
  }
}

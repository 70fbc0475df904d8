import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { CallControllerPorts } from './call-ports'
import type { OpenReply } from './open-reply'

/** Console lines kept of a running call; the card shows the last few, the outcome has its own copy. */
const MAX_LIVE_EVENTS = 500
const EVENT_FLUSH_MS = 60

/** Collects a run's events and shows them in steps, so that a flood of output never floods the page. */
export function collectEvents(
  { wait }: Pick<CallControllerPorts, 'wait'>,
  reply: OpenReply,
  slot: number,
): (event: SandboxEvent) => void {
  const waiting: SandboxEvent[] = []
  let scheduled = false
  const flush = () => {
    scheduled = false
    const live = reply.liveOf(slot)
    const added = waiting.splice(0)
    if (live && live.outcome === null) {
      reply.setLive(slot, { ...live, events: [...live.events, ...added].slice(-MAX_LIVE_EVENTS) })
    }
  }
  return (event) => {
    waiting.push(event)
    if (waiting.length > MAX_LIVE_EVENTS) waiting.shift()
    if (scheduled) return
    scheduled = true
    void wait(EVENT_FLUSH_MS).then(flush)
  }
}

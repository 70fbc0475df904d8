import { pageBroke } from '../api/api-failure'
import type { ChatPorts } from './chat-ports'
import type { Delivery, SenderEvents } from '../outbox/delivery'
import { filesDraft } from '../outbox/drafts'
import type { OutboxEntry } from '../outbox/outbox'
import { viewOf } from '../state/open-conversations'

export interface OutboxFlow {
  /** Puts it in and sends it, with `tries` in a row at first; then it goes by itself. */
  readonly send: (entry: OutboxEntry, tries: number) => Promise<Delivery>
  /** Sends whatever waits, in any chat; `now`: also what the server refused in this one. */
  readonly flush: (options?: { readonly now?: boolean }) => void
  /** Changes what waits. False: it is on its way at this moment. */
  readonly rewrite: (id: string, text: string) => Promise<boolean>
  readonly discard: (id: string) => Promise<boolean>
}

const laterMs = [2_000, 4_000, 8_000, 15_000, 30_000] as const

/** When what waits in the outbox goes: one message of a chat at a time, from one tab at a time, again and again. */
export function createOutboxFlow(ports: ChatPorts, events: SenderEvents): OutboxFlow {
  const { store, drafts, outbox } = ports
  const { dispatch } = store
  /** What the server said to those that it does not take yet. */
  const putOff = new Map<string, { readonly why: string; readonly until: number }>()
  const deliver = ports.createDeliverer(ports, events, (id, { message, retryAfterMs = 0 }) =>
    putOff.set(id, { why: message, until: ports.monotonic() + retryAfterMs }),
  )
  const view = () => viewOf(store.getState())
  const entries = () => outbox.all().map(({ entry }) => entry)
  /** Conversations with a request of this tab on its way. */
  const busy = new Set<string>()
  let unanswered = 0
  let timed = false

  const lockOf = (conversationId: string) => `nod:outbox:${conversationId}`
  const tellState = () =>
    dispatch({
      type: 'outbox-changed',
      outbox: outbox.all().map((item) => {
        const why = putOff.get(item.entry.id)?.why
        return { ...item, sending: busy.has(item.entry.conversationId), ...(why !== undefined && { why }) }
      }),
    })
  outbox.subscribe(tellState)

  async function sendOne({ id, conversationId }: OutboxEntry, tries: number): Promise<Delivery> {
    if (busy.has(conversationId)) return 'kept'
    /** Null: another tab is sending it. */
    let became: Delivery | null = 'unanswered'
    busy.add(conversationId)
    putOff.delete(id)
    tellState()
    try {
      became = await ports.exclusively(lockOf(conversationId), () => deliver(id, tries))
      unanswered = became === 'accepted' ? 0 : unanswered + (became === 'unanswered' ? 1 : 0)
    } catch (error) {
      // The message still goes with the next try, as its line says.
      console.error('A message could not be sent.', error)
      unanswered += 1
      putOff.set(id, { why: pageBroke().message, until: 0 })
    } finally {
      busy.delete(conversationId)
      dispatch({ type: 'send-failed', conversationId, messageId: id, problem: null })
      tellState()
    }
    const stands = outbox.get(id)
    // It left in another tab: what came of it is on the server.
    if (!stands && !view().tree.has(id) && view().phase !== 'missing') events.onRefused(conversationId)
    if (entries().some(({ refusal }) => refusal === null)) later()
    return became ?? 'kept'
  }

  function flush({ now = false }: { readonly now?: boolean } = {}): void {
    // What waits shows from the first look on, whether it may go or not.
    tellState()
    const { id: shown, run, phase } = view()
    const seen = new Set<string>()
    for (const entry of entries()) {
      const { conversationId, refusal } = entry
      if (seen.has(conversationId) || (refusal !== null && !(now && conversationId === shown))) continue
      seen.add(conversationId)
      if (refusal !== null) outbox.put({ ...entry, refusal: null })
      // The end of the reply that is written there, or what stands there, is seen here first; the server said when to come.
      const isEarly = (putOff.get(entry.id)?.until ?? 0) > ports.monotonic() && !(now && conversationId === shown)
      if (isEarly || (conversationId === shown && (run || phase === 'loading'))) later()
      else void sendOne(entry, 1)
    }
  }

  async function wakeUp(ms: number): Promise<void> {
    await ports.wait(ms)
    timed = false
    if (entries().some(({ refusal }) => refusal === null)) flush()
  }
  function later(): void {
    if (timed) return
    timed = true
    const ownMs = laterMs[Math.min(unanswered, laterMs.length) - 1] ?? laterMs[0]
    // When all that may go by itself was told to come later, nobody is asked before.
    const waits = entries().filter(({ refusal }) => refusal === null)
    const soonest = Math.min(...waits.map(({ id }) => (putOff.get(id)?.until ?? 0) - ports.monotonic()))
    void wakeUp(Math.max(ownMs, soonest))
  }

  /** What waits changes only while no tab is sending it: what is on its way can't be taken back. */
  async function change(id: string, work: (entry: OutboxEntry) => void): Promise<boolean> {
    const known = outbox.get(id)
    if (!known) return true
    if (busy.has(known.conversationId)) return false
    const done = await ports.exclusively(lockOf(known.conversationId), () => {
      const entry = outbox.get(id)
      if (entry) work(entry)
      return Promise.resolve(true)
    })
    return done ?? false
  }

  /** The first words may have arrived without an answer: other words are another message, with the same files. */
  function writeAnew(entry: OutboxEntry, text: string): void {
    const id = ports.newId()
    const files = filesDraft(entry.conversationId)
    outbox.put({ ...entry, id, text, replaces: entry.id, refusal: null })
    drafts.put(files, drafts.get(files).replace(entry.id, id))
    outbox.remove(entry.id)
  }

  return {
    send(entry, tries) {
      outbox.put(entry)
      return sendOne(entry, tries)
    },
    flush,
    async rewrite(id, text) {
      const changed = await change(id, (entry) =>
        entry.text === text ? outbox.put({ ...entry, refusal: null }) : writeAnew(entry, text),
      )
      if (changed) flush()
      return changed
    },
    discard: (id) => change(id, () => outbox.remove(id)),
  }
}

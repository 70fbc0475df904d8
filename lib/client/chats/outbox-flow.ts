import { pageBroke } from '../api/api-failure'
import type { ChatPorts } from './chat-ports'
import type { Delivery, SenderEvents } from '../outbox/delivery'
import { entriesIn, type OutboxEntry } from '../outbox/outbox'
import { viewOf } from '../state/open-conversations'
import { filesDraft } from '../outbox/drafts'

/** What a user can do with a waiting message. Each returns false if the message is being sent at this moment. */
interface OutboxChanges {
  /**
   * Sends it before all others of its chat, as soon as no reply is written there. False: it is being sent at this
   * moment.
   */
  readonly hurry: (id: string) => Promise<boolean>
  /** Holds it until its text is rewritten, or until it is released unchanged. */
  readonly holdToEdit: (id: string, held: boolean) => Promise<boolean>
  readonly rewrite: (id: string, text: string) => Promise<boolean>
  readonly discard: (id: string) => Promise<boolean>
}

/** How many times a change of a queued message waits for its turn. */
const lookTries = 20
const lookMs = 50

interface OutboxChangesParts {
  /** This tab is sending a message of the chat. */
  readonly isBusy: (conversationId: string) => boolean
  readonly lockOf: (conversationId: string) => string
  readonly flush: () => void
}

/** Changes of waiting messages, which are possible only while no tab is sending the message. */
function createOutboxChanges(
  ports: Pick<ChatPorts, 'outbox' | 'drafts' | 'exclusively' | 'newId' | 'wait'>,
  { isBusy, lockOf, flush }: OutboxChangesParts,
): OutboxChanges {
  const { outbox, drafts } = ports

  /** Changes a message only while no tab is sending it: a sent message can't be taken back. */
  async function change(id: string, work: (entry: OutboxEntry) => void): Promise<boolean> {
    // A queued message is checked often and sent rarely: a check is over in a moment.
    for (let tries = outbox.get(id)?.after === undefined ? 1 : lookTries; tries > 0; tries -= 1) {
      const known = outbox.get(id)
      if (!known) return true
      const lock = lockOf(known.conversationId)
      const done = isBusy(known.conversationId)
        ? null
        : await ports.exclusively(lock, () => {
            const entry = outbox.get(id)
            if (entry) work(entry)
            return Promise.resolve(true)
          })
      if (done !== null) return done
      if (tries > 1) await ports.wait(lookMs)
    }
    return false
  }

  /** The first text may have arrived without a response: the new text becomes another message, with the same files. */
  function replaceDraft(entry: OutboxEntry, text: string): void {
    const id = ports.newId()
    const files = filesDraft(entry.conversationId)
    const { tried: _before, ...words } = entry
    outbox.put({ ...words, id, text, replaces: entry.id, refusal: null })
    drafts.put(files, drafts.get(files).replace(entry.id, id))
    outbox.remove(entry.id)
  }

  async function changeAndFlush(id: string, work: (entry: OutboxEntry) => void): Promise<boolean> {
    const changed = await change(id, work)
    if (changed) flush()
    return changed
  }

  return {
    hurry: (id) =>
      changeAndFlush(id, (entry) => {
        const first = entriesIn(outbox, entry.conversationId)[0] ?? entry
        const createdAt = first.id === id ? entry.createdAt : first.createdAt - 1
        outbox.put({ ...entry, createdAt, after: 'reply', refusal: null })
      }),
    holdToEdit: (id, isHeld) =>
      changeAndFlush(id, (entry) => {
        if (isHeld ? entry.after !== undefined : entry.after === 'edit')
          outbox.put({ ...entry, after: isHeld ? 'edit' : 'turn' })
      }),
    async rewrite(id, text) {
      let isRewritten = false
      const changed = await changeAndFlush(id, (entry) => {
        isRewritten = true
        const freed = { ...entry, ...(entry.after === 'edit' && { after: 'turn' as const }), refusal: null }
        if (entry.text === text) outbox.put(freed)
        // No request was made with it yet: it stays the same message.
        else if (entry.after !== undefined && !entry.tried) outbox.put({ ...freed, text })
        else replaceDraft(freed, text)
      })
      // A message that was sent meanwhile keeps its first text.
      return changed && isRewritten
    },
    discard: (id) => changeAndFlush(id, () => outbox.remove(id)),
  }
}

export interface OutboxFlow extends OutboxChanges {
  /** Puts a message in and sends it, with `tries` in a row at first; later tries happen by themselves. */
  readonly send: (entry: OutboxEntry, tries: number) => Promise<Delivery>
  /** Puts a message behind those that wait in its chat; it is sent when the turn is over. `flush` follows. */
  readonly queue: (entry: OutboxEntry) => void
  /** Sends all waiting messages, in any chat. `now`: also those of this chat that the server refused. */
  readonly flush: (options?: { readonly now?: boolean }) => void
}

const laterMs = [2_000, 4_000, 8_000, 15_000, 30_000] as const
/** How often a chat that is not shown is checked for the end of its turn. */
const otherChatMs = 15_000

/**
 * Decides when waiting messages are sent: one message of a chat at a time, from one tab at a time, with repeated tries.
 */
export function createOutboxFlow(ports: ChatPorts, events: SenderEvents): OutboxFlow {
  const { store, outbox } = ports
  const { dispatch } = store
  /** The server's message for entries that it does not accept yet, and the time of the next try. */
  const putOff = new Map<string, { readonly why: string; readonly until: number }>()
  /** Chats whose turn was not over at the last check, with the time of the next check unless they are shown. */
  const held = new Map<string, number>()
  let deliver: ((id: string, tries: number) => Promise<Delivery>) | null = null
  const view = () => viewOf(store.getState())
  const entries = () => outbox.all().map(({ entry }) => entry)
  /** Conversations with a pending request of this tab. */
  const busy = new Set<string>()
  let unanswered = 0
  let timed = false
  /** The shown chat changed while a message of it was being sent. */
  let isChanged = false

  const lockOf = (conversationId: string) => `nod:outbox:${conversationId}`
  const publishState = () =>
    dispatch({
      type: 'outbox-changed',
      outbox: outbox.all().map((item) => {
        const why = putOff.get(item.entry.id)?.why
        return { ...item, sending: busy.has(item.entry.conversationId), ...(why !== undefined && { why }) }
      }),
    })
  outbox.subscribe(publishState)

  /** A part of the page that can't be loaded is like a server that does not answer: the message is sent later. */
  async function loadAndDeliver(id: string, tries: number): Promise<Delivery> {
    const part = await ports.loadDeliverer().catch(() => null)
    if (!part) return 'unanswered'
    deliver ??= part.createDeliverer(ports, events, (putOffId, { message, retryAfterMs = 0 }) =>
      putOff.set(putOffId, { why: message, until: ports.monotonic() + retryAfterMs }),
    )
    return deliver(id, tries)
  }

  async function sendOne({ id, conversationId }: OutboxEntry, tries: number): Promise<Delivery> {
    if (busy.has(conversationId)) return 'kept'
    /** Null: another tab is sending it. */
    let became: Delivery | null = 'unanswered'
    busy.add(conversationId)
    putOff.delete(id)
    held.delete(conversationId)
    publishState()
    try {
      became = await ports.exclusively(lockOf(conversationId), () => (deliver ?? loadAndDeliver)(id, tries))
      unanswered = became === 'accepted' ? 0 : unanswered + (became === 'unanswered' ? 1 : 0)
      if (became === 'held') held.set(conversationId, ports.monotonic() + otherChatMs)
    } catch (error) {
      // The message is still sent with the next try, as its status says.
      console.error('A message could not be sent.', error)
      unanswered += 1
      putOff.set(id, { why: pageBroke().message, until: 0 })
    } finally {
      busy.delete(conversationId)
      dispatch({ type: 'send-failed', conversationId, messageId: id, problem: null })
      publishState()
    }
    const stands = outbox.get(id)
    // Another tab sent it: the outcome is on the server.
    if (!stands && !view().tree.has(id) && view().phase !== 'missing') events.onRefused(conversationId)
    if (isChanged) {
      isChanged = false
      flush()
    } else if (comingEntries().length > 0) later()
    return became ?? 'kept'
  }

  /** Messages that may be sent by themselves. In the shown chat, a change of its turn is seen at once. */
  const comingEntries = () => {
    const { shownId } = store.getState()
    return entries().filter(
      ({ refusal, conversationId }) => refusal === null && !(conversationId === shownId && held.has(conversationId)),
    )
  }
  const untilOf = ({ id, conversationId }: OutboxEntry): number => {
    const turn = conversationId === store.getState().shownId ? 0 : (held.get(conversationId) ?? 0)
    return Math.max(putOff.get(id)?.until ?? 0, turn)
  }

  function flush({ now = false }: { readonly now?: boolean } = {}): void {
    // Waiting messages are shown from the first check on, whether they may be sent or not.
    publishState()
    const { id: shown, run, phase } = view()
    const seen = new Set<string>()
    for (const entry of entries()) {
      const { conversationId, refusal } = entry
      if (seen.has(conversationId) || (refusal !== null && !(now && conversationId === shown))) continue
      seen.add(conversationId)
      if (refusal !== null) outbox.put({ ...entry, refusal: null })
      // This page sees the end of the reply, or the conflict, first. A time that the server gave is respected.
      const isEarly = untilOf(entry) > ports.monotonic() && !(now && conversationId === shown)
      if (isEarly || (conversationId === shown && (run || phase === 'loading'))) later()
      else void sendOne(entry, 1)
    }
  }

  async function wakeUp(ms: number): Promise<void> {
    await ports.wait(ms)
    timed = false
    if (comingEntries().length > 0) flush()
  }
  function later(): void {
    if (timed) return
    timed = true
    const ownMs = laterMs[Math.min(unanswered, laterMs.length) - 1] ?? laterMs[0]
    // If all pending messages were deferred by the server, no request is made before the earliest time.
    const soonest = Math.min(...comingEntries().map((entry) => untilOf(entry) - ports.monotonic()))
    void wakeUp(Math.max(ownMs, soonest))
  }

  // A message that waits in the shown chat for the end of a turn is checked whenever that turn changes.
  let seen = view()
  store.subscribe(() => {
    const before = seen
    seen = view()
    const { id, run, sending, path, calls, live, heldBack, amendments } = seen
    const isSame =
      before.run === run &&
      before.sending === sending &&
      before.path === path &&
      before.calls === calls &&
      before.live === live &&
      before.heldBack === heldBack &&
      before.amendments === amendments
    if (before.id !== id && comingEntries().length > 0) later()
    if (isSame || run || sending || !entriesIn(outbox, id).some(({ after }) => after !== undefined)) return
    if (busy.has(id)) isChanged = true
    else flush()
  })

  const changes = createOutboxChanges(ports, { isBusy: (id) => busy.has(id), lockOf, flush })

  return {
    send(entry, tries) {
      outbox.put(entry)
      return sendOne(entry, tries)
    },
    queue(entry) {
      const last = entriesIn(outbox, entry.conversationId).at(-1)
      outbox.put({ ...entry, createdAt: Math.max(entry.createdAt, (last?.createdAt ?? -1) + 1) })
    },
    flush,
    ...changes,
  }
}

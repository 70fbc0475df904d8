import type { ChatPorts } from './chat-ports'
import { filesDraft } from '../outbox/drafts'
import { entriesIn, type OutboxEntry } from '../outbox/outbox'

/** What a person does with a message that waits. False: it is on its way at this moment. */
export interface OutboxChanges {
  /** It goes before all others of its chat, as soon as no reply is written there. False: it is on its way at this moment. */
  readonly hurry: (id: string) => Promise<boolean>
  /** It stays until its words are rewritten, or until it is let go with the words that it has. */
  readonly holdToEdit: (id: string, held: boolean) => Promise<boolean>
  readonly rewrite: (id: string, text: string) => Promise<boolean>
  readonly discard: (id: string) => Promise<boolean>
}

/** How long a change of a queued message waits for its turn. */
const lookTries = 20
const lookMs = 50

interface OutboxChangesParts {
  /** This tab has a message of the chat on its way. */
  readonly isBusy: (conversationId: string) => boolean
  readonly lockOf: (conversationId: string) => string
  readonly flush: () => void
}

/** Changes of what waits: only while no tab is sending it. */
export function createOutboxChanges(
  ports: Pick<ChatPorts, 'outbox' | 'drafts' | 'exclusively' | 'newId' | 'wait'>,
  { isBusy, lockOf, flush }: OutboxChangesParts,
): OutboxChanges {
  const { outbox, drafts } = ports

  /** What waits changes only while no tab is sending it: what is on its way can't be taken back. */
  async function change(id: string, work: (entry: OutboxEntry) => void): Promise<boolean> {
    // A queued message is looked at often and sent rarely: that is over in a moment.
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

  /** The first words may have arrived without an answer: other words are another message, with the same files. */
  function writeAnew(entry: OutboxEntry, text: string): void {
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
        else writeAnew(freed, text)
      })
      // One that has gone meanwhile keeps its first words.
      return changed && isRewritten
    },
    discard: (id) => changeAndFlush(id, () => outbox.remove(id)),
  }
}

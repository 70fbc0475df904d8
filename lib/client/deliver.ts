import type { Append, ChatResponse, ConversationView } from '@/lib/conversation/api-types'
import { say } from '@/lib/base/catalogue'
import { clientWords } from '@/lib/words/client'
import { ApiFailure, sentenceOf } from './api'
import type { ChatPorts } from './chat-ports'
import { newChatDraft } from './drafts'
import type { OutboxEntry } from './outbox'
import { aimAnew } from './outbox-aim'
import { persistently } from './persistently'
import { verdictOf } from './send-verdict'

export interface SenderEvents {
  onAccepted(conversationId: string, response: ChatResponse): void
  /** Whatever stands in the way is on the server. */
  onRefused(conversationId: string): void
}

/** `kept`: not now, it stays in the outbox; `unanswered`: and the server could not be asked. */
export type Delivery = 'accepted' | 'kept' | 'unanswered'

/** A chat that goes on between every two tries is not followed for ever. */
const maxAims = 5

/**
 * Takes one message of the outbox to the server, as the same request at every try: until it is accepted, or what came back
 * leaves nothing to do now. What became of it is told as events and written into its entry.
 */
export function createDeliverer(ports: ChatPorts, events: SenderEvents) {
  const { store, api, drafts, outbox } = ports
  const { dispatch } = store
  const view = () => store.getState().view
  const raise = (conversationId: string, message: string) =>
    dispatch({ type: 'problem-raised', conversationId, problem: { message, canRetry: false } })

  async function createIfNew({ id: messageId, conversationId, create }: OutboxEntry, tries: number): Promise<void> {
    if (create === undefined) return
    const { id, phase, conversation } = view()
    const now = id === conversationId && phase === 'new' && conversation ? conversation.settings : create
    const { model, ...rest } = now
    // Before the models are known the server picks its default one.
    const settings = model === undefined || model === '' ? rest : { ...rest, model }
    const created = await persistently(ports.wait, tries, () =>
      api.createConversation({ id: conversationId, settings }),
    )
    const entry = outbox.get(messageId)
    if (entry) {
      const { create: _known, ...known } = entry
      outbox.put(known)
    }
    dispatch({ type: 'conversation-changed', conversation: created })
  }

  async function appendOf(entry: OutboxEntry): Promise<Append> {
    const { id, parentId, branch, text, attachments, keepAttachmentsOf } = entry
    // A reload kept the names; the pictures are made from the files as they are now.
    const lacking = attachments?.some(({ isImage, image }) => isImage && !image) ?? false
    const files = attachments && lacking ? await ports.pictures(entry.conversationId, attachments) : attachments
    return {
      kind: 'user',
      id,
      parentId,
      text,
      ...(branch && { branch }),
      ...(files && files.length > 0 && { attachments: files }),
      ...(keepAttachmentsOf !== undefined && { keepAttachmentsOf }),
    }
  }

  function accepted({ conversationId, id, movedOn }: OutboxEntry, response: ChatResponse): void {
    outbox.remove(id)
    dispatch({ type: 'send-accepted', conversationId, response })
    if (movedOn) raise(conversationId, say(clientWords, 'client.went-on'))
    events.onAccepted(conversationId, response)
  }

  /** The words are not lost with their chat. */
  function giveBack(entry: OutboxEntry, why: unknown): void {
    if (drafts.get(newChatDraft).trim() !== '') return outbox.put({ ...entry, refusal: sentenceOf(why) })
    drafts.restore(newChatDraft, entry.text)
    outbox.remove(entry.id)
    const deleted = say(clientWords, 'client.chat-deleted')
    dispatch({ type: 'view-failed', conversationId: entry.conversationId, missing: true, message: deleted })
    raise(view().id, deleted)
  }

  /** Other words are asked about when the first ones turn out to have arrived. */
  function holdBack(entry: OutboxEntry, loaded: ConversationView): boolean {
    if (!loaded.messages.some((message) => message.id === entry.replaces)) return false
    dispatch({ type: 'send-failed', conversationId: entry.conversationId, messageId: entry.id, problem: null })
    dispatch({ type: 'view-loaded', view: loaded })
    const { replaces: _arrived, ...standing } = entry
    outbox.put({ ...standing, refusal: say(clientWords, 'client.had-arrived') })
    return true
  }

  /** An edit meets no end that could tell: what was written anew is looked for before it goes. */
  async function firstHadArrived(entry: OutboxEntry): Promise<boolean> {
    if (entry.replaces === undefined) return false
    try {
      return holdBack(entry, await api.view(entry.conversationId))
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 404) return false
      throw error
    }
  }

  /** Learns where the chat stands and aims the message at it. Rejects when the server can't be asked. */
  async function lookAgain(entry: OutboxEntry): Promise<'aimed' | 'kept'> {
    const { conversationId, id } = entry
    let loaded: ConversationView
    try {
      loaded = await api.view(conversationId)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 404) throw error
      giveBack(entry, error)
      return 'kept'
    }
    if (holdBack(entry, loaded)) return 'kept'
    dispatch({ type: 'send-failed', conversationId, messageId: id, problem: null })
    dispatch({ type: 'view-loaded', view: loaded })
    const { branch: _before, ...words } = entry
    outbox.put({ ...words, ...aimAnew(entry, loaded), movedOn: true })
    if (loaded.activeRunId === null) return 'aimed'
    events.onRefused(conversationId)
    return 'kept'
  }

  return async function deliver(id: string, tries: number): Promise<Delivery> {
    for (let aims = 0; ; aims += 1) {
      // Another tab may have sent it meanwhile, or it was discarded there.
      const entry = outbox.get(id)
      if (!entry || entry.refusal !== null) return 'kept'
      const { conversationId } = entry
      try {
        if (await firstHadArrived(entry)) return 'kept'
        await createIfNew(entry, tries)
        const append = await appendOf(outbox.get(id) ?? entry)
        accepted(entry, await persistently(ports.wait, tries, () => api.chat({ conversationId, append })))
        return 'accepted'
      } catch (error) {
        const { kind } = verdictOf(error)
        switch (kind) {
          case 'later':
            return 'unanswered'
          case 'busy':
            // It makes room for what is loaded now: the reply that is being written.
            dispatch({ type: 'send-failed', conversationId, messageId: id, problem: null })
            events.onRefused(conversationId)
            return 'kept'
          case 'moved':
          case 'gone': {
            if (aims === maxAims) {
              // Aimed anew and still not found: what it stands on is not there.
              if (kind === 'gone') outbox.put({ ...entry, refusal: sentenceOf(error) })
              return 'unanswered'
            }
            const next = await lookAgain(outbox.get(id) ?? entry).catch(() => 'unanswered' as const)
            if (next !== 'aimed') return next
            break
          }
          case 'refused':
            outbox.put({ ...(outbox.get(id) ?? entry), refusal: sentenceOf(error) })
            return 'kept'
        }
      }
    }
  }
}

import type { Append, AttachmentToSend, ChatResponse } from '@/lib/chat/api-types'
import type { UserMessage } from '@/lib/chat/conversation'
import { addressOf } from './address'
import { ApiFailure, sentenceOf } from './api'
import type { ChatPorts } from './chat-ports'
import { newChatDraft } from './drafts'

export interface Sender {
  /** False when it was refused at once: nothing typed, or a reply is on its way. */
  readonly user: (text: string, parentId: string | null, files?: SentFiles) => boolean
  /** A new reply to a user message that stands already. */
  readonly reply: (parentId: string) => boolean
  /** Sends what failed once more, as the same request; false when nothing is waiting. */
  readonly again: () => boolean
  /** Gives up what failed; the text stays in the composer. */
  readonly forget: () => void
}

/** New files, or those of the message that is edited. */
export type SentFiles = readonly AttachmentToSend[] | UserMessage

interface Request {
  readonly conversationId: string
  readonly append: Append
  readonly message: UserMessage | null
}

const attempts = 4
const firstRetryMs = 400

/**
 * Takes one append at a time to the server. The message shows at once; when the server does not answer, the same request
 * (same id) is tried again, so that it is stored once; when it can't be sent, its text goes back to the composer.
 */
export function createSender(
  ports: ChatPorts,
  events: { onAccepted(conversationId: string, response: ChatResponse): void; onRefused(conversationId: string): void },
): Sender {
  const { store, api, drafts } = ports
  const { dispatch } = store
  const view = () => store.getState().view
  let failed: Request | null = null

  const draftKey = (id: string) => (view().id === id && view().phase === 'new' ? newChatDraft : id)

  async function persistently<T>(request: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await request()
      } catch (error) {
        const unanswered = error instanceof ApiFailure && error.code === 'unreachable'
        if (!unanswered || attempt === attempts) throw error
        await ports.wait(firstRetryMs * 2 ** (attempt - 1))
      }
    }
  }

  async function createIfNew(conversationId: string): Promise<void> {
    const { id, phase, conversation } = view()
    if (id !== conversationId || phase !== 'new' || !conversation) return
    const { model, ...rest } = conversation.settings
    // Before the models are known the server picks its default one.
    const settings = model === '' ? rest : { ...rest, model }
    const created = await persistently(() => api.createConversation({ id, settings }))
    dispatch({ type: 'conversation-changed', conversation: created })
    if (view().id === id) ports.navigate(addressOf(id))
  }

  async function deliver(request: Request): Promise<void> {
    const { conversationId, append, message } = request
    try {
      await createIfNew(conversationId)
      const response = await persistently(() => api.chat({ conversationId, append }))
      dispatch({ type: 'send-accepted', conversationId, response })
      events.onAccepted(conversationId, response)
    } catch (error) {
      failed = request
      if (message) drafts.restore(draftKey(conversationId), message.text)
      const words = message ? `${sentenceOf(error)} Your message is back in the field below.` : sentenceOf(error)
      dispatch({ type: 'send-failed', conversationId, problem: { message: words, canRetry: true } })
      if (error instanceof ApiFailure && error.code !== 'unreachable') events.onRefused(conversationId)
    }
  }

  function begin(request: Request): boolean {
    const { id, phase, run, sending } = view()
    if (id !== request.conversationId || (phase !== 'ready' && phase !== 'new') || run || sending) return false
    failed = null
    const { conversationId, append, message } = request
    dispatch({ type: 'send-started', conversationId, message, headId: append.parentId })
    void deliver(request)
    return true
  }

  return {
    user(text, parentId, files = []) {
      const edited = 'role' in files ? files : null
      const attachments = 'role' in files ? (files.attachments ?? []) : files
      if (text.trim() === '' && attachments.length === 0) return false
      const conversationId = view().id
      const id = ports.newId()
      const base = { id, conversationId, parentId, createdAt: ports.now(), text }
      const shown = attachments.length > 0 ? { attachments } : {}
      const message: UserMessage = { ...base, role: 'user', results: [], ...shown }
      const sent = edited && attachments.length > 0 ? { keepAttachmentsOf: edited.id } : shown
      return begin({ conversationId, append: { kind: 'user', id, parentId, text, ...sent }, message })
    },
    reply: (parentId) =>
      begin({
        conversationId: view().id,
        append: { kind: 'reply', id: ports.newId(), parentId },
        message: null,
      }),
    again() {
      const request = failed
      if (request?.conversationId !== view().id) return false
      const key = draftKey(request.conversationId)
      if (request.message && drafts.get(key) === request.message.text) drafts.remove(key)
      return begin(request)
    },
    forget() {
      failed = null
    },
  }
}

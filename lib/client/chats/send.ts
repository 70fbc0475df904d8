import type { Append, AttachmentToSend, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import type { UserMessage } from '@/lib/shared/conversation/conversation'
import { rowsIn } from '@/lib/shared/conversation/outline'
import { addressOf } from '../api/address'
import type { ChatPorts } from './chat-ports'
import type { SenderEvents } from '../outbox/delivery'
import type { OutboxEntry } from '../outbox/outbox-entry'
import { createOutboxFlow, type OutboxFlow } from './outbox-flow'
import { verdictOf } from '../outbox/send-verdict'
import { soon, unanswered, withRetry } from '../api/with-retry'
import { viewOf } from '../state/open-conversations'
import { t } from '@/lib/i18n/t'

export interface Sender extends Omit<OutboxFlow, 'send'> {
  /** False when it was refused at once: nothing typed, a reply is on its way, or a message still waits for the server. */
  readonly user: (text: string, parentId: string | null, options?: SendOptions) => boolean
  /** A new reply to a user message that stands already. */
  readonly reply: (parentId: string) => boolean
  /** Asks for a reply that failed to be asked for once more, as the same request; false when there is none. */
  readonly again: () => boolean
  readonly forget: () => void
  /** What the server turned out to have waits no more. */
  readonly settle: (view: Pick<ConversationView, 'messages' | 'outline'>) => void
}

export interface SendOptions {
  /** New files, or those of the message that is edited. */
  readonly files?: readonly AttachmentToSend[] | UserMessage
  readonly branch?: 'edit' | 'back' | 'leaf'
}

type ReplyRequest = Extract<Append, { kind: 'reply' }> & { readonly conversationId: string }

const attempts = 4

/**
 * Takes messages to the server. Each is in the outbox before anything else happens and leaves it when the server has it, so
 * that no reload, crash or outage loses it; its id makes every try of every tab one and the same request.
 */
export function createSender(ports: ChatPorts, events: SenderEvents): Sender {
  const { store, api, outbox } = ports
  const { dispatch } = store
  const { send, ...flow } = createOutboxFlow(ports, events)
  const view = () => viewOf(store.getState())
  let failedReply: ReplyRequest | null = null

  const mayBegin = () => {
    const { phase, run, sending } = view()
    return (phase === 'ready' || phase === 'new') && !run && !sending
  }
  const waitsIn = (conversationId: string) =>
    outbox.all().some(({ entry }) => entry.conversationId === conversationId && entry.refusal === null)

  async function askForReply(request: ReplyRequest): Promise<void> {
    const { conversationId, ...append } = request
    const options = { tries: attempts, wait: ports.wait, ...soon }
    const answer = await withRetry(() => api.chat({ conversationId, append }), options)
    if (answer.ok) {
      dispatch({ type: 'send-accepted', conversationId, response: answer.value })
      events.onAccepted(conversationId, answer.value)
      return
    }
    failedReply = request
    const problem = { message: answer.error.message, canRetry: verdictOf(answer.error) !== 'moved' }
    dispatch({ type: 'send-failed', conversationId, messageId: null, problem })
    if (!unanswered(answer.error)) events.onRefused(conversationId)
  }

  function beginReply(request: ReplyRequest): boolean {
    const { conversationId, parentId } = request
    if (conversationId !== view().id || !mayBegin()) return false
    failedReply = null
    dispatch({ type: 'send-started', conversationId, message: null, headId: parentId })
    void askForReply(request)
    return true
  }

  return {
    ...flow,
    user(text, parentId, { files = [], branch } = {}) {
      const edited = 'role' in files ? files : null
      const attachments = 'role' in files ? (files.attachments ?? []) : files
      if ((text.trim() === '' && attachments.length === 0) || !mayBegin()) return false
      const { id: conversationId, phase, conversation } = view()
      if (waitsIn(conversationId)) {
        dispatch({
          type: 'problem-raised',
          conversationId,
          problem: { message: t('client.still-waits'), canRetry: false },
        })
        return false
      }
      failedReply = null
      const shown = attachments.length > 0 ? { attachments } : {}
      const said = { id: ports.newId(), conversationId, parentId, text, createdAt: ports.now() }
      const message: UserMessage = { ...said, role: 'user', results: [], ...shown }
      const entry: OutboxEntry = {
        version: 1,
        ...said,
        ...(branch && { branch }),
        ...(edited && attachments.length > 0 ? { keepAttachmentsOf: edited.id } : shown),
        ...(phase === 'new' && conversation && { create: conversation.settings }),
        refusal: null,
      }
      dispatch({ type: 'send-started', conversationId, message, headId: parentId })
      send(entry, attempts)
      // A reload comes back to the message, whether the server knows its chat by then or not.
      if (phase === 'new') ports.navigate(addressOf(conversationId))
      return true
    },
    reply(parentId) {
      const head = view().path.at(-1)?.id
      const request = { conversationId: view().id, kind: 'reply' as const, id: ports.newId(), parentId }
      return beginReply({ ...request, ...(head !== undefined && { head }) })
    },
    again: () => failedReply?.conversationId === view().id && beginReply(failedReply),
    forget() {
      failedReply = null
    },
    settle(loaded) {
      const arrived = new Set(rowsIn(loaded).map(({ id }) => id))
      for (const { entry } of outbox.all()) if (arrived.has(entry.id)) outbox.remove(entry.id)
    },
  }
}

import type { Append, AttachmentToSend, ChatResponse, ConversationView } from '@/lib/chat/api-types'
import type { UserMessage } from '@/lib/chat/conversation'
import { addressOf } from './address'
import { ApiFailure, sentenceOf } from './api'
import type { ChatPorts } from './chat-ports'
import { filesDraft, newChatDraft } from './drafts'
import type { OutboxEntry } from './outbox'
import { aimAnew } from './outbox-aim'
import { verdictOf } from './send-verdict'

export interface Sender {
  /** False when it was refused at once: nothing typed, a reply is on its way, or a message still waits for the server. */
  readonly user: (text: string, parentId: string | null, more?: SendOptions) => boolean
  /** A new reply to a user message that stands already. */
  readonly reply: (parentId: string) => boolean
  /** Asks for a reply that failed to be asked for once more, as the same request; false when there is none. */
  readonly again: () => boolean
  readonly forget: () => void
  /** Sends whatever waits, in any chat; `now`: also what the server refused in this one. */
  readonly flush: (options?: { readonly now?: boolean }) => void
  /** Changes what waits. False: it is on its way at this moment. */
  readonly rewrite: (id: string, text: string) => Promise<boolean>
  readonly discard: (id: string) => Promise<boolean>
  /** What the server turned out to have waits no more. */
  readonly settle: (view: Pick<ConversationView, 'messages'>) => void
}

export interface SendOptions {
  /** New files, or those of the message that is edited. */
  readonly files?: readonly AttachmentToSend[] | UserMessage
  readonly branch?: 'edit' | 'chosen'
}

export interface SenderEvents {
  onAccepted(conversationId: string, response: ChatResponse): void
  /** Whatever stands in the way is on the server. */
  onRefused(conversationId: string): void
}

type ReplyRequest = Extract<Append, { kind: 'reply' }> & { readonly conversationId: string }

const attempts = 4
const firstRetryMs = 400
const laterMs = [2_000, 4_000, 8_000, 15_000, 30_000] as const
/** A chat that goes on between every two tries is not followed for ever. */
const maxAims = 5

const wentOn = 'This chat had gone on in the meantime: your message stands after what came in between.'
const stillWaits = 'A message of yours still waits to be sent. What you typed now stays in the field.'
const hadArrived =
  'What you wrote first had arrived after all and stands in the chat. Send this as well, change it, or discard it.'
const deleted =
  'A chat was deleted elsewhere before your message to it was sent. Your words are in the field of a new chat.'

/**
 * Takes messages to the server. Each is in the outbox before anything else happens and leaves it when the server has it, so
 * that no reload, crash or outage loses it; its id makes every try of every tab one and the same request.
 */
export function createSender(ports: ChatPorts, events: SenderEvents): Sender {
  const { store, api, drafts, outbox } = ports
  const { dispatch } = store
  const view = () => store.getState().view
  const entries = () => outbox.all().map(({ entry }) => entry)
  const waitingIn = (conversationId: string) => entries().filter((entry) => entry.conversationId === conversationId)
  /** Conversations with a request of this tab on its way. */
  const busy = new Set<string>()
  let failedReply: ReplyRequest | null = null
  let failures = 0
  let timed = false

  const lockOf = (conversationId: string) => `nod:outbox:${conversationId}`
  const tellState = () =>
    dispatch({
      type: 'outbox-changed',
      outbox: outbox.all().map((item) => ({ ...item, sending: busy.has(item.entry.conversationId) })),
    })
  const say = (conversationId: string, message: string) =>
    dispatch({ type: 'problem-raised', conversationId, problem: { message, canRetry: false } })

  async function persistently<T>(tries: number, request: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await request()
      } catch (error) {
        const unanswered = error instanceof ApiFailure && error.code === 'unreachable'
        if (!unanswered || attempt >= tries) throw error
        await ports.wait(firstRetryMs * 2 ** (attempt - 1))
      }
    }
  }

  async function createIfNew({ id: messageId, conversationId, create }: OutboxEntry, tries: number): Promise<void> {
    if (create === undefined) return
    const { id, phase, conversation } = view()
    const now = id === conversationId && phase === 'new' && conversation ? conversation.settings : create
    const { model, ...rest } = now
    // Before the models are known the server picks its default one.
    const settings = model === undefined || model === '' ? rest : { ...rest, model }
    const created = await persistently(tries, () => api.createConversation({ id: conversationId, settings }))
    const entry = outbox.get(messageId)
    if (entry) {
      const { create: _, ...known } = entry
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

  /** Tries one message until it is accepted, or its verdict is no other try now. True: accepted. */
  async function deliver(id: string, tries: number): Promise<boolean> {
    for (let aims = 0; ; aims += 1) {
      // Another tab may have sent it meanwhile, or it was discarded there.
      const entry = outbox.get(id)
      if (!entry || entry.refusal !== null) return false
      const { conversationId } = entry
      try {
        await createIfNew(entry, tries)
        const append = await appendOf(entry)
        const response = await persistently(tries, () => api.chat({ conversationId, append }))
        accepted(entry, response)
        return true
      } catch (error) {
        const { kind } = verdictOf(error)
        // Aimed anew and still not found: what it stands on is not there.
        const verdict = kind === 'gone' && aims === maxAims ? 'refused' : kind
        if (verdict === 'moved' || verdict === 'gone') {
          const next = aims < maxAims ? await lookAgain(entry).catch(() => 'later' as const) : 'later'
          if (next === 'aimed') continue
          if (next === 'later') failures += 1
          return false
        }
        if (verdict === 'refused') outbox.put({ ...entry, refusal: sentenceOf(error) })
        else if (verdict === 'later') failures += 1
        else {
          // It makes room for what is loaded now: the reply that is being written.
          dispatch({ type: 'send-failed', conversationId, messageId: id, problem: null })
          events.onRefused(conversationId)
        }
        return false
      }
    }
  }

  function accepted(entry: OutboxEntry, response: ChatResponse): void {
    const { conversationId, id } = entry
    failures = 0
    outbox.remove(id)
    dispatch({ type: 'send-accepted', conversationId, response })
    if (entry.movedOn) say(conversationId, wentOn)
    events.onAccepted(conversationId, response)
  }

  /** Learns where the chat stands and aims the message at it. Rejects when the server can't be asked. */
  async function lookAgain(entry: OutboxEntry): Promise<'aimed' | 'done' | 'later'> {
    const { conversationId } = entry
    let loaded: ConversationView
    try {
      loaded = await api.view(conversationId)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 404) throw error
      // The words are not lost with their chat.
      if (drafts.get(newChatDraft).trim() !== '') {
        outbox.put({ ...entry, refusal: sentenceOf(error) })
        return 'done'
      }
      drafts.restore(newChatDraft, entry.text)
      outbox.remove(entry.id)
      dispatch({ type: 'view-failed', conversationId, missing: true, message: deleted })
      say(view().id, deleted)
      return 'done'
    }
    dispatch({ type: 'send-failed', conversationId, messageId: entry.id, problem: null })
    dispatch({ type: 'view-loaded', view: loaded })
    if (loaded.messages.some(({ id }) => id === entry.replaces)) {
      const { replaces: _, ...standing } = entry
      outbox.put({ ...standing, refusal: hadArrived })
      return 'done'
    }
    const aim = aimAnew(entry, loaded)
    outbox.put({ ...entry, ...aim, movedOn: true })
    if (loaded.activeRunId === null) return 'aimed'
    events.onRefused(conversationId)
    return 'done'
  }

  /** One tab at a time sends what waits in a chat; the others see it leave. */
  async function sendOne({ id, conversationId }: OutboxEntry, tries: number): Promise<boolean> {
    if (busy.has(conversationId)) return false
    busy.add(conversationId)
    tellState()
    let sent = false
    try {
      sent = (await ports.exclusively(lockOf(conversationId), () => deliver(id, tries))) ?? false
    } finally {
      busy.delete(conversationId)
      dispatch({ type: 'send-failed', conversationId, messageId: id, problem: null })
      tellState()
    }
    const entry = outbox.get(id)
    if (!sent && !entry && view().phase !== 'missing') events.onRefused(conversationId)
    if (entry && entry.refusal === null) later()
    return sent
  }

  function flush({ now = false }: { readonly now?: boolean } = {}): void {
    const { id: shown, run } = view()
    const seen = new Set<string>()
    for (const entry of entries()) {
      const { conversationId, refusal } = entry
      if (seen.has(conversationId)) continue
      if (refusal !== null && !(now && conversationId === shown)) continue
      seen.add(conversationId)
      // Its end is seen here, and then it goes.
      if (conversationId === shown && run) {
        later()
        continue
      }
      if (refusal !== null) outbox.put({ ...entry, refusal: null })
      void sendOne(entry, 1).then((sent) => {
        if (sent && waitingIn(conversationId).length > 0) flush()
      })
    }
  }

  function later(): void {
    if (timed) return
    timed = true
    const ms = laterMs[Math.min(failures, laterMs.length) - 1] ?? laterMs[0]
    void ports.wait(ms).then(() => {
      timed = false
      if (entries().some(({ refusal }) => refusal === null)) flush()
    })
  }

  const mayBegin = () => {
    const { phase, run, sending } = view()
    return (phase === 'ready' || phase === 'new') && !run && !sending
  }

  async function askForReply(request: ReplyRequest): Promise<void> {
    const { conversationId, ...append } = request
    try {
      const response = await persistently(attempts, () => api.chat({ conversationId, append }))
      dispatch({ type: 'send-accepted', conversationId, response })
      events.onAccepted(conversationId, response)
    } catch (error) {
      failedReply = request
      const moved = verdictOf(error).kind === 'moved'
      const problem = { message: sentenceOf(error), canRetry: !moved }
      dispatch({ type: 'send-failed', conversationId, messageId: null, problem })
      if (error instanceof ApiFailure && error.code !== 'unreachable') events.onRefused(conversationId)
    }
  }

  function beginReply(request: ReplyRequest): boolean {
    if (request.conversationId !== view().id || !mayBegin()) return false
    failedReply = null
    dispatch({
      type: 'send-started',
      conversationId: request.conversationId,
      message: null,
      headId: request.parentId,
    })
    void askForReply(request)
    return true
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

  outbox.subscribe(tellState)

  return {
    user(text, parentId, { files = [], branch } = {}) {
      const edited = 'role' in files ? files : null
      const attachments = 'role' in files ? (files.attachments ?? []) : files
      if ((text.trim() === '' && attachments.length === 0) || !mayBegin()) return false
      const { id: conversationId, phase, conversation } = view()
      if (waitingIn(conversationId).some(({ refusal }) => refusal === null)) {
        say(conversationId, stillWaits)
        return false
      }
      failedReply = null
      const id = ports.newId()
      const createdAt = ports.now()
      const shown = attachments.length > 0 ? { attachments } : {}
      const message: UserMessage = {
        id,
        conversationId,
        parentId,
        createdAt,
        role: 'user',
        text,
        results: [],
        ...shown,
      }
      const entry: OutboxEntry = {
        version: 1,
        id,
        conversationId,
        parentId,
        ...(branch && { branch }),
        text,
        ...(edited && attachments.length > 0 ? { keepAttachmentsOf: edited.id } : shown),
        createdAt,
        ...(phase === 'new' && conversation && { create: conversation.settings }),
        refusal: null,
      }
      outbox.put(entry)
      // A reload comes back to the message, whether the server knows its chat by then or not.
      if (phase === 'new') ports.navigate(addressOf(conversationId))
      dispatch({ type: 'send-started', conversationId, message, headId: parentId })
      void sendOne(entry, attempts)
      return true
    },
    reply: (parentId) => {
      const head = view().path.at(-1)?.id
      return beginReply({
        conversationId: view().id,
        kind: 'reply',
        id: ports.newId(),
        parentId,
        ...(head !== undefined && { head }),
      })
    },
    again: () => failedReply?.conversationId === view().id && beginReply(failedReply),
    forget() {
      failedReply = null
    },
    flush,
    async rewrite(id, text) {
      const changed = await change(id, (entry) => {
        if (entry.text === text) return outbox.put({ ...entry, refusal: null })
        // The first words may have arrived without an answer: other words are another message, with the same files.
        const other = ports.newId()
        const files = filesDraft(entry.conversationId)
        outbox.put({ ...entry, id: other, text, replaces: id, refusal: null })
        drafts.put(files, drafts.get(files).replace(id, other))
        outbox.remove(id)
      })
      if (changed) flush()
      return changed
    },
    discard: (id) => change(id, () => outbox.remove(id)),
    settle({ messages }) {
      for (const { id } of entries()) if (messages.some((message) => message.id === id)) outbox.remove(id)
    },
  }
}

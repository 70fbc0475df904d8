import { ok, type Result } from '@/lib/base/result'
import type { Append, ChatRequest, ChatResponse, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import { rowsIn } from '@/lib/shared/conversation/outline'
import type { ApiAnswer, ApiFailure } from '../api/api-failure'
import type { ChatPorts } from './chat-ports'
import { rebasedOn } from './new-conversation'
import { type Delivery, type OnPutOff, type SenderEvents, verdictOf, retarget } from '../outbox/delivery'
import { copyDraft, newChatDraft } from '../outbox/drafts'
import type { OutboxEntry } from '../outbox/outbox'
import { soon, unanswered, withRetry } from '../api/api-client'
import { t } from '@/lib/i18n/t'
import { type ConversationState, emptyView } from '../state/state'
import { reduceView } from '../state/reduce-view'
import { isOnOtherBranch, isSettling, viewOf } from '../state/open-conversations'

/** The limit on redirecting a message to the chat's new end, for a chat that changes between any two tries. */
const maxAims = 5

/**
 * Takes one message of the outbox to the server, as the same request at every try, until it is accepted or nothing can
 * be done now. The outcome is reported as events and written into its entry.
 */
export function createDeliverer(ports: ChatPorts, events: SenderEvents, onPutOff: OnPutOff) {
  const { store, api, drafts, outbox } = ports
  const { dispatch } = store
  const raise = (conversationId: string, message: string) =>
    dispatch({ type: 'problem-raised', conversationId, problem: { message, canRetry: false } })
  const takeBack = ({ id, conversationId }: OutboxEntry) =>
    dispatch({ type: 'send-failed', conversationId, messageId: id, problem: null })
  const refuse = (entry: OutboxEntry, refusal: string) => outbox.put({ ...(outbox.get(entry.id) ?? entry), refusal })

  function accepted({ conversationId, id, movedOn }: OutboxEntry, response: ChatResponse): void {
    outbox.remove(id)
    dispatch({ type: 'send-accepted', conversationId, response })
    if (movedOn) raise(conversationId, t('delivery.went-on'))
    events.onAccepted(conversationId, response)
  }

  /** Keep the text when its chat is gone. */
  function giveBack(entry: OutboxEntry, why: string): void {
    if (drafts.get(newChatDraft).trim() !== '') return outbox.put({ ...entry, refusal: why })
    const deleted = t('delivery.chat-deleted')
    drafts.restore(newChatDraft, entry.text)
    if (entry.onCopy) drafts.put(copyDraft(newChatDraft), 'yes')
    outbox.remove(entry.id)
    dispatch({ type: 'view-failed', conversationId: entry.conversationId, missing: true, message: deleted })
    raise(store.getState().shownId, deleted)
  }

  /** The user decides about the edited text if the first version turns out to have arrived. */
  function holdBack(entry: OutboxEntry, loaded: ConversationView): boolean {
    if (!rowsIn(loaded).some(({ id }) => id === entry.replaces)) return false
    takeBack(entry)
    dispatch({ type: 'view-loaded', view: loaded })
    const { replaces: _arrived, ...rest } = entry
    outbox.put({ ...rest, refusal: t('delivery.had-arrived') })
    return true
  }

  /** An edit has no expected end that would reveal this, so the first version is looked up before the edit is sent. */
  async function firstHadArrived(entry: OutboxEntry): Promise<ApiAnswer<boolean>> {
    if (entry.replaces === undefined) return ok(false)
    const loaded = await api.view(entry.conversationId)
    if (loaded.ok) return ok(holdBack(entry, loaded.value))
    return loaded.error.status === 404 ? ok(false) : loaded
  }

  /** Loads the chat's current end and directs the message to it. */
  async function lookAgain(entry: OutboxEntry): Promise<'aimed' | 'kept' | 'unanswered'> {
    const { conversationId } = entry
    const loaded = await api.view(conversationId)
    if (!loaded.ok) {
      if (loaded.error.status !== 404) return 'unanswered'
      giveBack(entry, loaded.error.message)
      return 'kept'
    }
    if (holdBack(entry, loaded.value)) return 'kept'
    takeBack(entry)
    dispatch({ type: 'view-loaded', view: loaded.value })
    // A queued message checks the turn again before it is sent.
    if (entry.after !== undefined) return 'kept'
    const { branch: _before, create: _stands, ...words } = entry
    outbox.put({ ...words, ...retarget(entry, loaded.value), movedOn: true })
    if (loaded.value.activeRunId === null) return 'aimed'
    events.onRefused(conversationId)
    return 'kept'
  }

  /** Handles a refusal: decides whether the message is sent again at once, or why it is not. */
  async function stopBy(entry: OutboxEntry, failure: ApiFailure, aims: number): Promise<Delivery | 'aimed'> {
    const verdict = verdictOf(failure)
    switch (verdict) {
      case 'later':
        if (!unanswered(failure)) onPutOff(entry.id, failure)
        return 'unanswered'
      case 'busy':
        // The message makes room for the reply that is being written and was just loaded.
        takeBack(entry)
        events.onRefused(entry.conversationId)
        return 'kept'
      case 'moved':
      case 'gone':
        if (aims < maxAims) return lookAgain(outbox.get(entry.id) ?? entry)
        // The target is still not found after redirecting: the message's parent does not exist.
        if (verdict === 'gone') outbox.put({ ...entry, refusal: failure.message })
        return 'unanswered'
      case 'refused':
        refuse(entry, failure.message)
        return 'kept'
    }
  }

  async function tryOnce(entry: OutboxEntry, tries: number, aims: number): Promise<Delivery | 'aimed'> {
    const arrived = await firstHadArrived(entry)
    if (!arrived.ok) return stopBy(entry, arrived.error, aims)
    if (arrived.value) return 'kept'
    const request = await requestOf(ports, entry)
    if (!request.ok) {
      refuse(entry, request.error)
      return 'kept'
    }
    const answer = await withRetry(() => api.chat(request.value), { tries, wait: ports.wait, ...soon })
    if (!answer.ok) return stopBy(entry, answer.error, aims)
    accepted(entry, answer.value)
    return 'accepted'
  }

  return async function deliver(id: string, tries: number): Promise<Delivery> {
    for (let aims = 0; ; aims += 1) {
      // Another tab may have sent or discarded it meanwhile.
      const entry = outbox.get(id)
      if (!entry || entry.refusal !== null) return 'kept'
      if (!ports.canSetCookies()) {
        refuse(entry, t('delivery.no-cookies'))
        return 'kept'
      }
      if (entry.after !== undefined) {
        const aimed = await aimQueued(ports, entry)
        if (typeof aimed === 'string') return aimed
        outbox.put(aimed)
      }
      const next = await tryOnce(outbox.get(id) ?? entry, tries, aims)
      if (next !== 'aimed') return next
    }
  }
}

/** Makes the request that takes an entry to the server; a sentence if its images can't be made. */
async function requestOf(ports: ChatPorts, entry: OutboxEntry): Promise<Result<ChatRequest, string>> {
  const { id, conversationId, parentId, branch, text, attachments, keepAttachmentsOf, onCopy } = entry
  // A reload kept only the names; the images are made from the current files.
  const lacking = attachments?.some(({ isImage, image }) => isImage && !image) ?? false
  const made = attachments && lacking ? await ports.pictures(conversationId, attachments) : ok(attachments)
  if (!made.ok) return made
  const append: Append = {
    kind: 'user',
    id,
    parentId,
    text,
    ...(branch && { branch }),
    ...(made.value && made.value.length > 0 && { attachments: made.value }),
    ...(keepAttachmentsOf !== undefined && { keepAttachmentsOf }),
    ...(onCopy && { onCopy }),
  }
  const create = entry.create && (await settingsToBegin(ports, entry.conversationId, entry.create))
  return ok({
    conversationId,
    append,
    ...(create && { create }),
    ...(create && entry.temporary && { temporary: true }),
    ...(create && entry.project !== undefined && { project: entry.project }),
  })
}

/**
 * The current settings of a chat that the server does not know yet. A message can be sent before the page knows the
 * user's defaults of new chats, so they are fetched first. Without an answer, the server picks its default model.
 */
async function settingsToBegin(
  { store, api }: Pick<ChatPorts, 'store' | 'api'>,
  id: string,
  sent: NonNullable<OutboxEntry['create']>,
): Promise<NonNullable<ChatRequest['create']>> {
  const view = store.getState().open.get(id)
  const now = view?.phase === 'new' && view.conversation ? view.conversation.settings : sent
  const { model, ...rest } = now
  if (model !== undefined && model !== '') return now
  const listed = await api.models()
  if (!listed.ok) return rest
  // Whether there are tool servers is known now too.
  store.dispatch({ type: 'models-loaded', models: listed.value })
  return rebasedOn(listed.value, now)
}

/**
 * Directs a message that was written during a turn to the current end of its chat, or says why it is not sent. The
 * request names that end: if the chat changes before it arrives, the server refuses it and it is directed again.
 */
async function aimQueued(
  ports: Pick<ChatPorts, 'store' | 'api' | 'outbox' | 'turnOf'>,
  entry: OutboxEntry,
): Promise<OutboxEntry | Exclude<Delivery, 'accepted'>> {
  if (entry.after === 'edit') return 'held'
  const view = await stateOf(ports, entry.conversationId)
  if (typeof view === 'string') return view
  if (view.tree.has(entry.id)) {
    // It had arrived, but the response was lost.
    ports.outbox.remove(entry.id)
    return 'kept'
  }
  const turn = await ports.turnOf(view)
  if (turn === 'writing' || isSettling(view)) return 'held'
  if (entry.after !== 'reply' && (turn !== 'over' || isOnOtherBranch(view, entry.parentId))) return 'held'
  const { create, ...words } = entry
  const isNew = view.phase === 'new' && create !== undefined
  return { ...words, parentId: view.path.at(-1)?.id ?? null, tried: true, ...(isNew && { create }) }
}

/** The shown chat's state is known here; any other chat's state is fetched. */
async function stateOf(
  { store, api }: Pick<ChatPorts, 'store' | 'api'>,
  conversationId: string,
): Promise<ConversationState | Exclude<Delivery, 'accepted'>> {
  const shown = viewOf(store.getState())
  if (shown.id === conversationId && (shown.phase === 'ready' || shown.phase === 'new')) return shown
  const loaded = await api.view(conversationId)
  // The chat is not begun yet, or gone: the request itself finds out.
  if (!loaded.ok) return loaded.error.status === 404 ? { ...emptyView, id: conversationId, phase: 'new' } : 'unanswered'
  if (loaded.value.activeRunId !== null) return 'held'
  return reduceView({ ...emptyView, id: conversationId }, { type: 'view-loaded', view: loaded.value })
}

import { ok, type Result } from '@/lib/base/result'
import type { Append, ChatRequest, ChatResponse, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import { rowsIn } from '@/lib/shared/conversation/outline'
import type { ApiAnswer, ApiFailure } from '../api/api-failure'
import type { ChatPorts } from './chat-ports'
import { type Delivery, type OnPutOff, type SenderEvents, verdictOf, retarget } from '../outbox/delivery'
import { newChatDraft } from '../outbox/drafts'
import type { OutboxEntry } from '../outbox/outbox'
import { soon, unanswered, withRetry } from '../api/api-client'
import { t } from '@/lib/i18n/t'
import { type ConversationState, emptyView } from '../state/state'
import { reduceView } from '../state/reduce-view'
import { isOnOtherBranch, viewOf } from '../state/open-conversations'

/** A chat that goes on between every two tries is not followed for ever. */
const maxAims = 5

/**
 * Takes one message of the outbox to the server, as the same request at every try: until it is accepted, or what came back
 * leaves nothing to do now. What became of it is told as events and written into its entry.
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

  /** The words are not lost with their chat. */
  function giveBack(entry: OutboxEntry, why: string): void {
    if (drafts.get(newChatDraft).trim() !== '') return outbox.put({ ...entry, refusal: why })
    const deleted = t('delivery.chat-deleted')
    drafts.restore(newChatDraft, entry.text)
    outbox.remove(entry.id)
    dispatch({ type: 'view-failed', conversationId: entry.conversationId, missing: true, message: deleted })
    raise(store.getState().shownId, deleted)
  }

  /** Other words are asked about when the first ones turn out to have arrived. */
  function holdBack(entry: OutboxEntry, loaded: ConversationView): boolean {
    if (!rowsIn(loaded).some(({ id }) => id === entry.replaces)) return false
    takeBack(entry)
    dispatch({ type: 'view-loaded', view: loaded })
    const { replaces: _arrived, ...standing } = entry
    outbox.put({ ...standing, refusal: t('delivery.had-arrived') })
    return true
  }

  /** An edit meets no end that could tell: what was written again is looked for before it goes. */
  async function firstHadArrived(entry: OutboxEntry): Promise<ApiAnswer<boolean>> {
    if (entry.replaces === undefined) return ok(false)
    const loaded = await api.view(entry.conversationId)
    if (loaded.ok) return ok(holdBack(entry, loaded.value))
    return loaded.error.status === 404 ? ok(false) : loaded
  }

  /** Learns where the chat stands and aims the message at it. */
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
    // A queued message looks again at the turn before it goes.
    if (entry.after !== undefined) return 'kept'
    const { branch: _before, create: _stands, ...words } = entry
    outbox.put({ ...words, ...retarget(entry, loaded.value), movedOn: true })
    if (loaded.value.activeRunId === null) return 'aimed'
    events.onRefused(conversationId)
    return 'kept'
  }

  /** What keeps it from arriving: whether it goes again at once, or why it does not. */
  async function stopBy(entry: OutboxEntry, failure: ApiFailure, aims: number): Promise<Delivery | 'aimed'> {
    const verdict = verdictOf(failure)
    switch (verdict) {
      case 'later':
        if (!unanswered(failure)) onPutOff(entry.id, failure)
        return 'unanswered'
      case 'busy':
        // It makes room for what is loaded now: the reply that is being written.
        takeBack(entry)
        events.onRefused(entry.conversationId)
        return 'kept'
      case 'moved':
      case 'gone':
        if (aims < maxAims) return lookAgain(outbox.get(entry.id) ?? entry)
        // Aimed again and still not found: what it stands on is not there.
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
      // Another tab may have sent it meanwhile, or it was discarded there.
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

/** The request that takes an entry to the server; a sentence when its pictures can't be made. */
async function requestOf(ports: ChatPorts, entry: OutboxEntry): Promise<Result<ChatRequest, string>> {
  const { id, conversationId, parentId, branch, text, attachments, keepAttachmentsOf } = entry
  // A reload kept the names; the pictures are made from the files as they are now.
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
  }
  const create = entry.create && settingsToBegin(ports, entry.conversationId, entry.create)
  return ok({
    conversationId,
    append,
    ...(create && { create }),
    ...(create && entry.temporary && { temporary: true }),
    ...(create && entry.project !== undefined && { project: entry.project }),
  })
}

/** Of a chat that the server does not know yet, as they are now; before the models are known it picks its default one. */
function settingsToBegin({ store }: ChatPorts, id: string, sent: NonNullable<OutboxEntry['create']>) {
  const view = store.getState().open.get(id)
  const { model, ...rest } = view?.phase === 'new' && view.conversation ? view.conversation.settings : sent
  return model === undefined || model === '' ? rest : { ...rest, model }
}

/**
 * A message that was written during a turn, on its way to the end that its chat has now; or why it does not go. The end is
 * named in the request: when the chat goes on before it arrives, the server refuses it and it is aimed again.
 */
async function aimQueued(
  ports: Pick<ChatPorts, 'store' | 'api' | 'outbox' | 'turnOf'>,
  entry: OutboxEntry,
): Promise<OutboxEntry | Exclude<Delivery, 'accepted'>> {
  if (entry.after === 'edit') return 'held'
  const view = await stateOf(ports, entry.conversationId)
  if (typeof view === 'string') return view
  if (view.tree.has(entry.id)) {
    // It had arrived without an answer.
    ports.outbox.remove(entry.id)
    return 'kept'
  }
  const turn = await ports.turnOf(view)
  if (turn === 'writing') return 'held'
  if (entry.after !== 'reply' && (turn !== 'over' || isOnOtherBranch(view, entry.parentId))) return 'held'
  const { create, ...words } = entry
  const isNew = view.phase === 'new' && create !== undefined
  return { ...words, parentId: view.path.at(-1)?.id ?? null, tried: true, ...(isNew && { create }) }
}

/** The shown chat is known here; any other is asked for. */
async function stateOf(
  { store, api }: Pick<ChatPorts, 'store' | 'api'>,
  conversationId: string,
): Promise<ConversationState | Exclude<Delivery, 'accepted'>> {
  const shown = viewOf(store.getState())
  if (shown.id === conversationId && (shown.phase === 'ready' || shown.phase === 'new')) return shown
  const loaded = await api.view(conversationId)
  // Not begun yet, or gone: the request itself finds out.
  if (!loaded.ok) return loaded.error.status === 404 ? { ...emptyView, id: conversationId, phase: 'new' } : 'unanswered'
  if (loaded.value.activeRunId !== null) return 'held'
  return reduceView({ ...emptyView, id: conversationId }, { type: 'view-loaded', view: loaded.value })
}

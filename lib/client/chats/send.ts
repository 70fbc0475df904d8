import { err, ok } from '@/lib/base/result'
import type {
  Append,
  AttachmentToSend,
  ChatResponse,
  ConversationView,
  ReplyChoice,
} from '@/lib/shared/conversation/wire/api-types'
import type { UserMessage } from '@/lib/shared/conversation/conversation'
import { rowsIn } from '@/lib/shared/conversation/outline'
import type { AppendRefusal, AppendResult, ChatActions, ThreadActions } from './actions'
import { copyDraft } from '../outbox/drafts'
import { addressOf } from '../api/address'
import type { ChatPorts } from './chat-ports'
import { type Delivery, type SenderEvents, verdictOf } from '../outbox/delivery'
import { entriesIn, type OutboxEntry } from '../outbox/outbox'
import { createOutboxFlow, type OutboxFlow } from './outbox-flow'
import { soon, unanswered, withRetry } from '../api/api-client'
import {
  viewOf,
  runsOf,
  draftIdOf,
  isOnOtherBranch,
  storesLate,
  storesStop,
  worksOnLast,
} from '../state/open-conversations'
import { t } from '@/lib/i18n/t'
import { newestLeafOfTree, isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'

export interface Sender extends Omit<OutboxFlow, 'send' | 'queue'> {
  /**
   * Shows a user message, stores it in the outbox and sends it. During a turn, or behind other waiting messages, it
   * waits in the outbox; an edit is refused then.
   */
  readonly user: (text: string, parentId: string | null, options?: SendOptions) => AppendResult
  /** Requests a new reply to an existing user message. */
  readonly reply: (parentId: string, as?: ReplyChoice) => boolean
  /** Retries the failed request for a reply, as the same request; false if there is none. */
  readonly again: () => boolean
  readonly forget: () => void
  /** Removes messages from the outbox that the server turned out to have. */
  readonly settle: (view: Pick<ConversationView, 'messages' | 'outline'>) => void
}

export interface SendOptions {
  /** New files, or those of the edited message. */
  readonly files?: readonly AttachmentToSend[] | UserMessage
  readonly branch?: 'edit' | 'back' | 'leaf'
}

type ReplyRequest = Extract<Append, { kind: 'reply' }> & { readonly conversationId: string }

const attempts = 4

const endedEarly = (row: ChatRow | undefined): boolean =>
  isHere(row) && row.role === 'assistant' && row.outcome !== 'finished' && row.outcome !== 'length'

const refused = (reason: AppendRefusal): AppendResult => ({ status: 'refused', reason })

/**
 * Takes messages to the server. Each is in the outbox before anything else happens and leaves it once the server has
 * it, so no reload, crash or outage loses it. Its id makes every try of every tab the same request.
 */
export function createSender(ports: ChatPorts, events: SenderEvents): Sender {
  const { store, api, drafts, outbox } = ports
  const { dispatch } = store
  const { send, queue, ...flow } = createOutboxFlow(ports, events)
  const view = () => viewOf(store.getState())
  let failedReply: ReplyRequest | null = null

  const mayBegin = () => {
    const { phase, run, sending } = view()
    return (phase === 'ready' || phase === 'new') && !run && !sending
  }
  const waitingIn = (conversationId: string) =>
    entriesIn(outbox, conversationId).filter(({ refusal }) => refusal === null)

  /**
   * Queues behind the waiting messages. A user who sends more after a reply that ended early, or on another branch,
   * wants to continue there.
   */
  function line(entry: OutboxEntry, first: OutboxEntry | undefined): void {
    queue(entry)
    const isStuck = first && mayBegin() && (endedEarly(view().path.at(-1)) || isOnOtherBranch(view(), first.parentId))
    if (isStuck) void flow.hurry(first.id)
    else flow.flush()
  }

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
      if (text.trim() === '' && attachments.length === 0) return refused('empty')
      const { id: conversationId, phase, conversation } = view()
      if (phase !== 'ready' && phase !== 'new') return refused('busy')
      const draft = draftIdOf(store.getState())
      const waiting = waitingIn(conversationId)
      const isWorking = worksOnLast(view())
      const isQueued = edited === null && (!mayBegin() || waiting.length > 0 || isWorking || storesLate(view()))
      // Nothing remains but to store what the cards already show: the user has decided.
      const isDecided = waiting.length === 0 && mayBegin() && (storesStop(view()) || !isWorking)
      const after = isDecided ? 'reply' : 'turn'
      if (!mayBegin() && !isQueued) return refused('busy')
      if (waiting.length > 0 && !isQueued) {
        dispatch({
          type: 'problem-raised',
          conversationId,
          problem: { message: t('client.still-waits'), canRetry: false },
        })
        return refused('message-waiting')
      }
      failedReply = null
      const shown = attachments.length > 0 ? { attachments } : {}
      const base = { id: ports.newId(), conversationId, parentId, text, createdAt: ports.now() }
      const isOnCopy = edited ? edited.onCopy === true : drafts.get(copyDraft(draft)) !== ''
      const onCopy = isOnCopy ? { onCopy: true as const } : {}
      const message: UserMessage = { ...base, role: 'user', results: [], ...shown, ...onCopy }
      const entry: OutboxEntry = {
        version: 1,
        ...base,
        ...onCopy,
        ...(branch && !isQueued && { branch }),
        ...(edited && attachments.length > 0 ? { keepAttachmentsOf: edited.id } : shown),
        ...(phase === 'new' && conversation && { create: conversation.settings }),
        ...(phase === 'new' && conversation?.temporary && { temporary: true }),
        ...(phase === 'new' && conversation?.project && { project: conversation.project }),
        ...(isQueued && { after }),
        refusal: null,
      }
      if (!isQueued) dispatch({ type: 'send-started', conversationId, message, headId: parentId })
      const delivery = isQueued ? Promise.resolve<Delivery>('held') : send(entry, attempts)
      if (isQueued) line(entry, waiting[0])
      // Moves the text from the draft to the outbox in one step: after a crash it is in exactly one of them.
      if (!edited && drafts.get(draft) === text) drafts.remove(draft)
      if (!edited && isOnCopy) drafts.remove(copyDraft(draft))
      // A reload returns to the message, whether the server knows its chat by then or not. A temporary chat has no
      // address: a reload ends it.
      if (phase === 'new' && !conversation?.temporary) ports.navigate(addressOf(conversationId))
      return { status: 'stored', messageId: entry.id, delivery }
    },
    reply(parentId, as) {
      const head = view().path.at(-1)?.id
      const request = {
        conversationId: view().id,
        kind: 'reply' as const,
        id: ports.newId(),
        parentId,
        ...(as && { as }),
      }
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

interface ThreadParts {
  readonly sender: Pick<Sender, 'user' | 'reply' | 'again'>
  readonly raise: (conversationId: string, message: string) => void
  /** Follows a reply that is written beside others. */
  readonly joinSide: (conversationId: string, response: ChatResponse) => void
}

interface ChatThread {
  readonly actions: ThreadActions & Pick<ChatActions, 'goBackTo' | 'writeBeside'>
  /** A reply of this chat is being written. A Stop that was pressed before applies to it. */
  readonly joined: () => void
  /** Something other than the user began a reply: an earlier Stop does not apply to it. */
  readonly expect: () => void
  /** The server accepted a message of this chat, and with it the branch that is shown. */
  readonly accepted: (conversationId: string) => void
  /** The chat was loaded from the server. */
  readonly loaded: (conversationId: string) => void
}

/** What a user does in the thread of the shown chat. */
export function createThread(ports: ChatPorts, { sender, raise, joinSide }: ThreadParts): ChatThread {
  const { store, api } = ports
  const { dispatch } = store
  const view = () => viewOf(store.getState())
  let stopWanted = false
  /**
   * The user moved to another place in this chat, and the server has not confirmed it. The next message names the place
   * itself.
   */
  let goingTo: { readonly conversationId: string; failed: boolean } | null = null

  async function storeHead(id: string, headId: string | null, how: { headStays?: true } = {}): Promise<void> {
    const mine = { conversationId: id, failed: false }
    goingTo = mine
    const answer = await api.patchConversation(id, { headId, ...how })
    if (!answer.ok) {
      mine.failed = true
      return raise(id, answer.error.message)
    }
    if (goingTo === mine) goingTo = null
    dispatch({ type: 'conversation-changed', conversation: answer.value })
    ports.announce(id)
  }

  async function stopRun(conversationId: string, runId: string): Promise<void> {
    dispatch({ type: 'run-stopping', runId, stopping: true })
    const answer = await api.stopRun(runId)
    if (answer.ok) return
    dispatch({ type: 'run-stopping', runId, stopping: false })
    raise(conversationId, t('client.not-stopped', { why: answer.error.message }))
  }

  const actions: ChatThread['actions'] = {
    // Async only for its callers: the message shows at once.
    async append(text, attachments = []) {
      stopWanted = false
      const { id, path, tree } = view()
      const parentId = path.at(-1)?.id ?? null
      if (goingTo?.conversationId !== id) return sender.user(text, parentId, { files: attachments })
      const isEnd = ![...tree.values()].some((row) => row.parentId === parentId)
      return sender.user(text, parentId, { files: attachments, branch: isEnd ? 'leaf' : 'back' })
    },
    stop(only) {
      const { run, sending, id } = view()
      if (only === undefined) stopWanted = sending && !run
      for (const { runId, stopping } of runsOf(view())) {
        if (only !== undefined && only !== runId) continue
        if (stopping) void api.stopRun(runId)
        else void stopRun(id, runId)
      }
    },
    retry() {
      const { path } = view()
      stopWanted = false
      if (sender.again()) return
      const last = path.at(-1)
      const parentId = last?.role === 'assistant' ? last.parentId : last?.id
      if (typeof parentId === 'string') sender.reply(parentId)
    },
    regenerate(replyId, as) {
      stopWanted = false
      const reply = view().tree.get(replyId)
      if (reply?.role === 'assistant' && reply.parentId !== null) sender.reply(reply.parentId, as)
    },
    async writeBeside(replyId, as) {
      const { id: conversationId, tree } = view()
      const parentId = tree.get(replyId)?.parentId
      if (parentId == null) return err(t('client.still-waits'))
      const append = { kind: 'reply', id: ports.newId(), parentId, as, beside: true } as const
      const options = { tries: attempts, wait: ports.wait, ...soon }
      const answer = await withRetry(() => api.chat({ conversationId, append }), options)
      if (!answer.ok) return err(answer.error.message)
      joinSide(conversationId, answer.value)
      return ok(answer.value.replyId)
    },
    async edit(userMessageId, text) {
      stopWanted = false
      const old = view().tree.get(userMessageId)
      if (!isHere(old) || old.role !== 'user') return { status: 'refused', reason: 'not-found' }
      return sender.user(text, old.parentId, { files: old, branch: 'edit' })
    },
    switchBranch(messageId) {
      const { id, tree, run, sending } = view()
      if (!tree.has(messageId) || run || sending) return
      dispatch({ type: 'branch-switched', conversationId: id, headId: newestLeafOfTree(tree, messageId) })
      void storeHead(id, messageId)
    },
    goBackTo(messageId) {
      const { id, tree, run, sending, phase } = view()
      if (phase !== 'ready' || run || sending || (messageId !== null && !tree.has(messageId))) return false
      dispatch({ type: 'head-moved', conversationId: id, headId: messageId })
      void storeHead(id, messageId, { headStays: true })
      return true
    },
  }

  return {
    actions,
    joined() {
      if (stopWanted) actions.stop()
    },
    expect() {
      stopWanted = false
    },
    accepted(conversationId) {
      if (goingTo?.conversationId === conversationId) goingTo = null
    },
    loaded(conversationId) {
      if (goingTo?.conversationId === conversationId && goingTo.failed) goingTo = null
    },
  }
}

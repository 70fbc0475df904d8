import type { AssistantMessage, CallRecord } from '@/lib/conversation/conversation'
import { foldRunEvent } from '@/lib/conversation/run-event'
import type { ClientEvent } from './events'
import { newerRecord } from '@/lib/calls/newer-record'
import { keepAmendments, keepCalls, keepConversation, keepGrants, keepMessages } from './keep-rows'
import { newestLeaf, pathTo } from './message-tree'
import { callKey, type CallKey, type ConversationState } from './state'
import type { LiveCall } from '@/lib/calls/live-call'

export type ViewEvent = Exclude<
  ClientEvent,
  {
    type:
      | 'conversations-loaded'
      | 'query-changed'
      | 'models-loaded'
      | 'online-changed'
      | 'outbox-changed'
      | 'view-new'
      | 'view-opened'
      | 'conversation-removed'
  }
>

/** The open conversation. Events that belong to another conversation or to a run that is over change nothing. */
export function reduceView(view: ConversationState, event: ViewEvent): ConversationState {
  switch (event.type) {
    case 'view-loaded':
      return loaded(view, event)
    case 'view-failed':
      if (event.conversationId !== view.id) return view
      if (view.phase === 'ready' && !event.missing) return view
      return {
        ...view,
        phase: event.missing ? 'missing' : 'failed',
        // A chat that is missing says so as a whole page; what else there is to say is raised apart.
        problem: event.missing ? null : { message: event.message, canRetry: true },
      }
    case 'conversation-changed':
      if (event.conversation.id !== view.id) return view
      return {
        ...view,
        phase: view.phase === 'new' ? 'ready' : view.phase,
        conversation: keepConversation(view.conversation, event.conversation),
      }
    case 'settings-changed':
      if (event.conversationId !== view.id || !view.conversation) return view
      return { ...view, conversation: { ...view.conversation, settings: event.settings, settingsProblem: null } }
    case 'send-started': {
      if (event.conversationId !== view.id || view.sending || view.run) return view
      const tree = event.message ? new Map(view.tree).set(event.message.id, event.message) : view.tree
      return { ...view, tree, path: pathTo(tree, event.message?.id ?? event.headId), sending: true, problem: null }
    }
    case 'send-accepted': {
      if (event.conversationId !== view.id) return view
      const { message, calls } = event.response
      // Results that went out by themselves may come in before what was typed: that waits, and goes behind the answer.
      const before = message && view.path.at(-1)?.id !== message.id ? unsent(view) : view
      const tree = message ? new Map(before.tree).set(message.id, message) : before.tree
      const path = message ? pathTo(tree, message.id) : before.path
      return calls.reduce(recorded, { ...before, tree, path, sending: false, problem: null })
    }
    case 'send-failed': {
      if (event.conversationId !== view.id) return view
      const isShown = view.sending && (event.messageId === null || view.path.at(-1)?.id === event.messageId)
      if (!isShown) return event.problem ? { ...view, problem: event.problem } : view
      return { ...unsent(view), sending: false, problem: event.problem ?? view.problem }
    }
    case 'problem-raised':
      return event.conversationId === view.id ? { ...view, problem: event.problem } : view
    case 'problem-dismissed':
      return view.problem ? { ...view, problem: null } : view
    case 'run-joined':
      if (event.conversationId !== view.id || view.run?.runId === event.runId) return view
      return {
        ...view,
        sending: false,
        run: { runId: event.runId, replyId: event.replyId, seq: 0, connection: 'live', stopping: false },
      }
    case 'run-connection':
      if (view.run?.runId !== event.runId || view.run.connection === event.connection) return view
      return { ...view, run: { ...view.run, connection: event.connection } }
    case 'run-stopping':
      return view.run?.runId === event.runId ? { ...view, run: { ...view.run, stopping: event.stopping } } : view
    case 'run-events':
      return event.runId === view.run?.runId ? fold(view, event.events) : view
    case 'run-lost':
      return event.runId === view.run?.runId ? { ...view, run: null } : view
    case 'branch-switched':
      if (event.conversationId !== view.id) return view
      return onBranch(view, newestLeaf(view.tree, event.headId))
    case 'head-moved':
      return event.conversationId === view.id ? onBranch(view, event.headId) : view
    case 'call-recorded':
      return view.tree.has(event.call.messageId) ? recorded(view, event.call) : view
    case 'amendments-changed': {
      if (event.conversationId !== view.id || !view.tree.has(event.messageId)) return view
      return { ...view, amendments: new Map(view.amendments).set(event.messageId, event.amendments) }
    }
    case 'grant-changed': {
      if (event.conversationId !== view.id) return view
      const others = view.grants.filter((grant) => grant.id !== event.grant.id)
      return { ...view, grants: [...others, event.grant].toSorted((a, b) => a.createdAt - b.createdAt) }
    }
    case 'call-live':
      return withLive(view, event.key, event.live)
    case 'call-event': {
      const live = view.live.get(event.key)
      return live ? withLive(view, event.key, { ...live, events: [...live.events, event.event] }) : view
    }
  }
}

function loaded(view: ConversationState, event: Extract<ViewEvent, { type: 'view-loaded' }>): ConversationState {
  const { conversation, messages, calls, amendments, grants, activeRunId } = event.view
  // While a message is on its way the answer may be older than it; the send's own answer comes right after.
  if (conversation.id !== view.id || view.sending) return view
  const run = activeRunId !== null && view.run?.runId === activeRunId ? view.run : null
  const tree = keepMessages(view.tree, messages, run?.replyId ?? null)
  const head = run && tree.has(run.replyId) ? run.replyId : conversation.headId
  const path = pathTo(tree, head)
  const samePath = path.length === view.path.length && path.every((row, index) => row === view.path[index])
  return {
    ...view,
    phase: 'ready',
    conversation: keepConversation(view.conversation, conversation),
    tree,
    path: samePath ? view.path : path,
    calls: keepCalls(view.calls, calls),
    amendments: keepAmendments(view.amendments, amendments),
    grants: keepGrants(view.grants, grants),
    run,
    problem: view.phase === 'ready' ? view.problem : null,
  }
}

function onBranch(view: ConversationState, headId: string | null): ConversationState {
  const conversation = view.conversation && { ...view.conversation, headId }
  return { ...view, conversation, path: pathTo(view.tree, headId) }
}

/** Takes back what `send-started` showed: the text goes back to the composer. */
function unsent(view: ConversationState): ConversationState {
  const headId = view.conversation?.headId ?? null
  const path = pathTo(view.tree, headId)
  const last = view.path.at(-1)
  if (!view.sending || !last || last.role !== 'user' || path.includes(last)) return { ...view, path }
  const tree = new Map(view.tree)
  tree.delete(last.id)
  return { ...view, tree, path }
}

function fold(
  view: ConversationState,
  events: Extract<ViewEvent, { type: 'run-events' }>['events'],
): ConversationState {
  let run = view.run
  const before = run && view.tree.get(run.replyId)
  let reply: AssistantMessage | null = before?.role === 'assistant' ? before : null
  for (const event of events) {
    if (!run || event.seq <= run.seq) continue
    if (event.type === 'start') {
      reply = event.message
      run = { ...run, replyId: event.message.id, seq: event.seq }
    } else {
      if (reply) reply = foldRunEvent(reply, event)
      run = event.type === 'end' ? null : { ...run, seq: event.seq }
    }
  }
  if (run === view.run) return view
  if (!reply) return { ...view, run }
  return { ...withReply(view, reply), run }
}

function withReply(view: ConversationState, reply: AssistantMessage): ConversationState {
  const tree = new Map(view.tree).set(reply.id, reply)
  const at = view.path.findLastIndex((row) => row.id === reply.id)
  if (at >= 0) return { ...view, tree, path: view.path.with(at, reply) }
  const parentIsLast = (view.path.at(-1)?.id ?? null) === reply.parentId
  if (!parentIsLast) return { ...view, tree }
  const conversation = view.conversation && { ...view.conversation, headId: reply.id }
  return { ...view, tree, path: [...view.path, reply], conversation }
}

function recorded(view: ConversationState, call: CallRecord): ConversationState {
  const key = callKey(call.messageId, call.slot)
  const known = view.calls.get(key)
  if (known && newerRecord(known, call) === known) return view
  const calls = new Map(view.calls).set(key, call)
  const live = view.live.get(key)
  if (!live || !call.outcome || live.attempt > call.attempt) return { ...view, calls }
  return withLive({ ...view, calls }, key, null)
}

function withLive(view: ConversationState, key: CallKey, live: LiveCall | null): ConversationState {
  if (!live && !view.live.has(key)) return view
  const next = new Map(view.live)
  if (live) next.set(key, live)
  else next.delete(key)
  return { ...view, live: next }
}

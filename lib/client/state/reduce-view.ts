import { replaceEqualDeep, replaceEqualRows } from '@/lib/base/replace-equal'
import type { AssistantMessage, Conversation } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord } from '@/lib/shared/conversation/call-record'
import { foldRunEvent } from '@/lib/shared/conversation/wire/run-event'
import { type ClientEvent, callKey, type ActiveRun, type CallKey, type ConversationState } from './state'
import { newestLeafOfTree, treePathTo, isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { rowsIn } from '@/lib/shared/conversation/outline'
import { runsOf } from './open-conversations'
import { runsIn } from '@/lib/shared/conversation/wire/api-types'
import { type LiveCall, newerRecord } from '@/lib/shared/calls/call-state'

export type ViewEvent = Exclude<
  ClientEvent,
  {
    type:
      | 'conversations-loaded'
      | 'query-changed'
      | 'models-loaded'
      | 'use-loaded'
      | 'online-changed'
      | 'outbox-changed'
      | 'view-new'
      | 'view-opened'
      | 'conversation-removed'
      | 'rows-left'
  }
>

/** Reduces one open conversation; `reduceClient` knows which. Events of an ended run change nothing. */
export function reduceView(view: ConversationState, event: ViewEvent): ConversationState {
  switch (event.type) {
    case 'view-loaded':
      return loaded(view, event)
    case 'view-failed':
      if (view.phase === 'ready' && !event.missing) return view
      return {
        ...view,
        phase: event.missing ? 'missing' : 'failed',
        // A missing chat is shown as a whole page; other problems are raised separately.
        problem: event.missing ? null : { message: event.message, canRetry: true },
      }
    case 'conversation-changed':
      return { ...view, phase: started(view), conversation: replaceEqualDeep(view.conversation, event.conversation) }
    case 'settings-changed':
      if (!view.conversation) return view
      return { ...view, conversation: { ...view.conversation, settings: event.settings, settingsProblem: null } }
    case 'send-started': {
      if (view.sending || view.run) return view
      const tree = event.message ? new Map(view.tree).set(event.message.id, event.message) : view.tree
      return { ...view, tree, path: treePathTo(tree, event.message?.id ?? event.headId), sending: true, problem: null }
    }
    case 'send-accepted':
      return accepted(view, event.response)
    case 'send-failed': {
      const isShown = view.sending && (event.messageId === null || view.path.at(-1)?.id === event.messageId)
      if (!isShown) return event.problem ? { ...view, problem: event.problem } : view
      return { ...unsent(view), sending: false, problem: event.problem ?? view.problem }
    }
    case 'problem-raised':
      return { ...view, problem: event.problem }
    case 'problem-dismissed':
      return view.problem ? { ...view, problem: null } : view
    case 'run-joined': {
      const { runId, replyId, isSide } = event
      if (runsOf(view).some((run) => run.runId === runId)) return view
      const joined: ActiveRun = {
        runId,
        replyId,
        seq: 0,
        connection: 'live',
        stopping: false,
        ...(isSide && { isSide }),
      }
      if (!isSide) return { ...view, sending: false, run: joined, sides: runsOf(view).filter((run) => run.isSide) }
      return view.run ? { ...view, sides: [...view.sides, joined] } : { ...view, run: joined }
    }
    case 'run-connection':
      return withRun(view, event.runId, (run) =>
        // Its turn may come meanwhile: after a rejoin, the current place is reported.
        run.connection === event.connection ? run : { ...run, connection: event.connection, place: null },
      )
    case 'run-doing':
      return withRun(view, event.runId, (run) => ({ ...run, doing: event.doing }))
    case 'run-queued':
      return withRun(view, event.runId, (run) => ({ ...run, place: event.place, isAlive: event.isAlive === true }))
    case 'run-stopping':
      return withRun(view, event.runId, (run) => ({ ...run, stopping: event.stopping }))
    case 'run-events': {
      const run = runsOf(view).find(({ runId }) => runId === event.runId)
      return run ? fold(view, run, event.events) : view
    }
    case 'run-lost':
      return withRun(view, event.runId, () => null)
    case 'branch-switched':
      return onBranch(view, newestLeafOfTree(view.tree, event.headId))
    case 'head-moved':
      return onBranch(view, event.headId)
    case 'call-recorded':
      return recorded(view, event.call)
    case 'amendments-changed':
      return view.tree.has(event.messageId) ? amended(view, event.messageId, event.amendments) : view
    case 'grant-changed': {
      const others = view.grants.filter((grant) => grant.id !== event.grant.id)
      const grants = [...others, event.grant].toSorted((a, b) => a.createdAt - b.createdAt)
      return withGrants(view, grants)
    }
    case 'messages-loaded':
      return withMessages(view, event)
    case 'tools-changed':
      return { ...view, tools: replaceEqualDeep(view.tools, event.tools) }
    case 'call-live':
      return withLive(view, event.key, event.live)
    case 'results-held': {
      const known = view.heldBack.get(event.messageId) ?? null
      if (event.problem === known || !view.tree.has(event.messageId)) return view
      const heldBack = new Map(view.heldBack)
      if (event.problem === null) heldBack.delete(event.messageId)
      else heldBack.set(event.messageId, event.problem)
      return { ...view, heldBack }
    }
    case 'conversation-held':
      return { ...view, held: view.held + 1 }
    case 'conversation-released':
      return { ...view, held: Math.max(0, view.held - 1) }
  }
}

/** The server knows a chat that was new. */
const started = ({ phase }: ConversationState) => (phase === 'new' ? 'ready' : phase)

function loaded(view: ConversationState, { view: given }: Extract<ViewEvent, { type: 'view-loaded' }>) {
  // While a message is being sent, the response may be older than it; the send's own response follows.
  if (view.sending) return view
  const { conversation, messages, outline, calls, amendments, grants, others, tools = [] } = given
  const active = runsIn(given)
  const [run = null, ...sides] = runsOf(view).filter(({ runId }) => active.includes(runId))
  // The logs that this tab follows are ahead of the stored rows.
  const ahead = runsOf({ run, sides }).flatMap(({ replyId }) => view.tree.get(replyId) ?? [])
  const followed = run && !run.isSide ? view.tree.get(run.replyId) : undefined
  const bodies = new Map(messages.map((row) => [row.id, row]))
  const rows = rowsIn(given).map((row): ChatRow => bodies.get(row.id) ?? row)
  for (const row of ahead) if (rows.every(({ id }) => id !== row.id)) rows.push(row)
  const tree = replaceEqualRows(
    view.tree,
    rows.map((row) => [row.id, row] as const),
    (known, row) => (ahead.includes(known) || staysHere(known, row) ? known : replaceEqualDeep(known, row)),
  )
  const path = treePathTo(tree, followed ? followed.id : conversation.headId)
  const isOther = (messageId: string) => outline !== undefined && tree.has(messageId) && !bodies.has(messageId)
  const aged = [...tree.values()].filter((row) => isHere(row) && !ahead.includes(row) && isOther(row.id))
  const before = <T>(known: ReadonlyMap<string, T>, idOf: (key: string) => string) =>
    [...known].filter(([key]) => isOther(idOf(key)))
  return {
    ...view,
    phase: 'ready' as const,
    conversation: replaceEqualDeep(view.conversation, conversation),
    tree,
    path: keepPath(view.path, path),
    aged: new Set(aged.map(({ id }) => id)),
    others: replaceEqualDeep(view.others, others ?? none.others),
    calls: replaceEqualRows<CallKey, CallRecord>(
      view.calls,
      [
        ...[...view.calls].filter(([, { messageId }]) => isOther(messageId)),
        ...calls.map((row) => [callKey(row.messageId, row.slot), row] as const),
      ],
      keepRecord,
    ),
    amendments: replaceEqualRows(view.amendments, [...before(view.amendments, (id) => id), ...byMessage(amendments)]),
    grants: replaceEqualDeep(view.grants, grants),
    tools: replaceEqualDeep(view.tools, tools),
    run,
    sides,
    problem: view.phase === 'ready' ? view.problem : null,
    keptAt: given.keptAt ?? null,
  }
}

/** A message does not change once it has ended, so a loaded one is not replaced by a placeholder. */
const staysHere = (known: ChatRow, row: ChatRow): boolean =>
  isHere(known) &&
  !isHere(row) &&
  known.parentId === row.parentId &&
  known.deleted === row.deleted &&
  !(known.role === 'assistant' && !known.outcome)

function withMessages(view: ConversationState, page: Extract<ViewEvent, { type: 'messages-loaded' }>) {
  const rows = page.messages.filter(({ id }) => view.tree.has(id))
  if (rows.length === 0) return view
  const given = new Map(rows.map((row) => [row.id, row]))
  const aged = rows.some(({ id }) => view.aged.has(id)) ? view.aged.difference(given) : view.aged
  // The log that this tab follows is ahead of the stored row.
  for (const { replyId } of runsOf(view)) given.delete(replyId)
  const tree = replaceEqualRows(
    view.tree,
    [...view.tree].map(([id, row]) => [id, given.get(id) ?? row] as const),
  )
  const path = view.path.map((row) => tree.get(row.id) ?? row)
  const amendments = byMessage(page.amendments)
  const known = page.calls.filter(({ messageId }) => tree.has(messageId)).reduce(recorded, view)
  const next = rows.reduce((now, { id }) => amended(now, id, amendments.get(id) ?? none.amendments), known)
  const isSame = next === view && tree === view.tree && aged === view.aged
  return withGrants(isSame ? view : { ...next, tree, path: keepPath(view.path, path), aged }, page.grants)
}

const keepPath = (old: ConversationState['path'], path: ConversationState['path']): ConversationState['path'] =>
  path.length === old.length && path.every((row, index) => row === old[index]) ? old : path

/** The response may be older than what this tab learnt after the request. */
const keepRecord = (known: CallRecord, row: CallRecord): CallRecord => replaceEqualDeep(known, newerRecord(known, row))

function byMessage(rows: readonly CallAmendment[]): ReadonlyMap<string, readonly CallAmendment[]> {
  const found = new Map<string, readonly CallAmendment[]>()
  for (const row of rows) found.set(row.messageId, [...(found.get(row.messageId) ?? []), row])
  return found
}

function accepted(
  view: ConversationState,
  { message, calls, conversation: now }: Extract<ViewEvent, { type: 'send-accepted' }>['response'],
): ConversationState {
  // Automatic results may arrive before the typed message: that waits, and goes behind the reply.
  const before = message && view.path.at(-1)?.id !== message.id ? unsent(view) : view
  const tree = message ? new Map(before.tree).set(message.id, message) : before.tree
  const path = message ? treePathTo(tree, message.id) : before.path
  const conversation = begunAs(before, now)
  return calls.reduce(recorded, {
    ...before,
    phase: started(view),
    conversation,
    tree,
    path,
    sending: false,
    problem: null,
  })
}

/**
 * The server's state of the chat. Its settings may have been changed here since, and its head is a row that is still to
 * come.
 */
function begunAs({ phase, conversation: old }: ConversationState, now: Conversation): Conversation {
  if (!old || phase === 'new') return replaceEqualDeep(old, { ...now, headId: old?.headId ?? null })
  return replaceEqualDeep(old, { ...old, title: now.title, updatedAt: now.updatedAt })
}

function onBranch(view: ConversationState, headId: string | null): ConversationState {
  const conversation = view.conversation && { ...view.conversation, headId }
  return { ...view, conversation, path: treePathTo(view.tree, headId) }
}

/** Reverts what `send-started` showed: the text returns to the composer. */
function unsent(view: ConversationState): ConversationState {
  const headId = view.conversation?.headId ?? null
  const path = treePathTo(view.tree, headId)
  const last = view.path.at(-1)
  if (!view.sending || !last || last.role !== 'user' || path.includes(last)) return { ...view, path }
  const tree = new Map(view.tree)
  tree.delete(last.id)
  return { ...view, tree, path }
}

/** Changes a run, or removes it: the next one then takes its place. */
function withRun(
  view: ConversationState,
  runId: string,
  change: (run: ActiveRun) => ActiveRun | null,
): ConversationState {
  const before = runsOf(view)
  const found = before.find((run) => run.runId === runId)
  const changed = found && change(found)
  if (!found || changed === found) return view
  const [run = null, ...sides] = before.flatMap((one) => (one === found ? (changed ?? []) : one))
  return { ...view, run, sides }
}

function fold(
  view: ConversationState,
  known: ActiveRun,
  events: Extract<ViewEvent, { type: 'run-events' }>['events'],
): ConversationState {
  let run: ActiveRun | null = known
  const before = view.tree.get(run.replyId)
  let reply: AssistantMessage | null = isHere(before) && before.role === 'assistant' ? before : null
  for (const event of events) {
    if (!run || event.seq <= run.seq) continue
    if (event.type === 'start') {
      reply = event.message
      run = { ...run, replyId: event.message.id, seq: event.seq }
    } else {
      if (reply) reply = foldRunEvent(reply, event)
      run =
        event.type === 'end'
          ? null
          : { ...run, seq: event.seq, place: null, ...(event.type === 'delta' && { doing: null }) }
    }
  }
  if (run === known) return view
  const next = reply ? withReply(view, reply, known.isSide === true) : view
  return withRun(next, known.runId, () => run)
}

function withReply(view: ConversationState, reply: AssistantMessage, isSide: boolean): ConversationState {
  const tree = new Map(view.tree).set(reply.id, reply)
  const at = view.path.findLastIndex((row) => row.id === reply.id)
  if (at >= 0) return { ...view, tree, path: view.path.with(at, reply) }
  const parentIsLast = (view.path.at(-1)?.id ?? null) === reply.parentId
  if (!parentIsLast || isSide) return { ...view, tree }
  const conversation = view.conversation && { ...view.conversation, headId: reply.id }
  return { ...view, tree, path: [...view.path, reply], conversation }
}

function recorded(view: ConversationState, call: CallRecord): ConversationState {
  const key = callKey(call.messageId, call.slot)
  const old = view.calls.get(key)
  const kept = old ? keepRecord(old, call) : call
  if (kept === old) return view
  const calls = new Map(view.calls).set(key, kept)
  const live = view.live.get(key)
  if (!live || !kept.outcome || live.attempt > kept.attempt) return { ...view, calls }
  return withLive({ ...view, calls }, key, null)
}

function amended(view: ConversationState, id: string, rows: readonly CallAmendment[]): ConversationState {
  const old = view.amendments.get(id) ?? none.amendments
  const kept = replaceEqualDeep(old, rows)
  return kept === old ? view : { ...view, amendments: new Map(view.amendments).set(id, kept) }
}

const none = {
  amendments: [] as readonly CallAmendment[],
  others: { ran: false, failed: [] } as ConversationState['others'],
}

function withGrants(view: ConversationState, rows: ConversationState['grants']): ConversationState {
  const grants = replaceEqualDeep(view.grants, rows)
  return grants === view.grants ? view : { ...view, grants }
}

function withLive(view: ConversationState, key: CallKey, live: LiveCall | null): ConversationState {
  if (!live && !view.live.has(key)) return view
  const next = new Map(view.live)
  if (live) next.set(key, live)
  else next.delete(key)
  return { ...view, live: next }
}

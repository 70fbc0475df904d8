import { callSentence } from '@/lib/words/calls'
import type { CallActions } from '@/lib/client/actions'
import type { RegisteredTool } from '@/lib/conversation/registered-tool'
import type { ClientApi } from '@/lib/client/api'
import type { ChatController } from '@/lib/client/controller'
import { replyCalls } from '@/lib/client/reply-calls'
import type { ResultsDoor } from '@/lib/client/results-door'
import type { ClientStore } from '@/lib/client/store'
import { createApprovalDesk } from '@/lib/tool-calls/approval-desk'
import type { ApprovalUIPort } from '@/lib/tool-calls/approval-ui-port'
import { createCallController } from '@/lib/tool-calls/call-controller'
import type { CallControllerPorts } from '@/lib/tool-calls/call-ports'
import { createWebCallLocks } from '@/lib/tool-calls/call-locks.browser'
import { createCallServer } from '@/lib/tool-calls/call-server'
import type { InlineApproval } from '@/lib/tool-calls/inline-approval'
import { onBranch } from './branch-follower.browser'
import { toolRegistry } from './tool-registry'
import { toolRuntimes } from './tool-runtimes.browser'

// Loaded with the first reply: reading replies, the tools and what carries decisions out.

export interface CallWiring {
  readonly store: ClientStore
  /** Results are said in the thread like all else: saying is not part of it. */
  readonly api: Omit<ClientApi, 'chat'>
  readonly results: Pick<ResultsDoor, 'post'>
  readonly chat: ChatController
  /** Tells the other tabs that a conversation changed. */
  readonly announce: (conversationId: string | null) => void
  readonly newId: () => string
  readonly wait: (ms: number) => Promise<void>
}

export function createCalls({ store, api, results, chat, announce, newId, wait }: CallWiring): CallActions {
  return createCallController({
    runnerId: newId(),
    newId,
    now: Date.now,
    wait,
    getState: store.getState,
    dispatch(event) {
      store.dispatch(event)
      if (event.type === 'call-live' || event.type === 'results-held') return
      announce(event.type === 'call-recorded' ? store.getState().view.id : event.conversationId)
      // The list counts what waits, lifted calls and gated results too.
      if (event.type !== 'call-recorded' || event.call.gated) chat.changedElsewhere(null)
    },
    readCalls: readCallsIn(store),
    server: createCallServer(api, results.post),
    // Where there are none (plain http) nothing may run; the page says so.
    locks: createWebCallLocks((navigator as { readonly locks?: LockManager }).locks ?? noLocks),
    runtime: async (conversationId) => onBranch(conversationId, await toolRuntimes.get(conversationId), store),
    joinRun: chat.joinRun,
  })
}

/** Calls are read with the tools of their conversation, also while another one is shown. */
function readCallsIn(store: ClientStore): CallControllerPorts['readCalls'] {
  const known = new Map<string, readonly RegisteredTool[]>()
  return (message, config, amendments) => {
    const { view } = store.getState()
    known.set(view.id, view.tools)
    const tools = toolRegistry.of(known.get(message.conversationId) ?? [])
    return replyCalls(message, config, amendments, tools)
  }
}

export interface DeskWiring {
  readonly store: ClientStore
  readonly calls: CallActions
  readonly approvals: { readonly inline: InlineApproval; readonly dialog: ApprovalUIPort }
  readonly isWatched: (replyId: string) => boolean
}

/** From here on what waits is asked of the user, and what a rule or grant allows runs by itself. */
export function startDesk({ store, calls, approvals, isWatched }: DeskWiring): void {
  createApprovalDesk({
    getState: store.getState,
    subscribe: store.subscribe,
    actions: calls,
    readCalls: readCallsIn(store),
    toolOf: (name) => toolRegistry.of(store.getState().view.tools).get(name),
    cards: approvals.inline,
    screenOf: (where) => (where === 'inline' ? null : approvals[where]),
    isWatched,
    now: Date.now,
  })
}

const noLocks: LockManager = {
  query: () => Promise.resolve({ held: [], pending: [] }),
  request: () => Promise.reject(new Error(callSentence('calls.no-locks'))),
}

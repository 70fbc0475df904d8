import { loadPart } from '@/lib/i18n/load-part'
import { bothClocks, monotonicClock, wallClock } from '@/lib/base/clocks'
import { locksOrNull } from '@/lib/base/features.browser'
import type { CallActions } from '@/lib/client/chats/actions'
import type { NodApi } from '@/lib/client/api/nod-api'
import type { ChatController } from '@/lib/client/chats/controller'
import { replyCalls } from '@/lib/client/state/parsed-reply'
import type { ClientState } from '@/lib/client/state/state'
import type { ClientStore } from '@/lib/client/state/store'
import { createApprovalService } from '@/lib/client/calls/approval/approval-service'
import type { ApprovalUIAdapter } from '@/lib/client/calls/approval/approval-ui'
import { createInlineApproval, type InlineApproval, countDecisions } from '@/lib/client/calls/approval/inline-approval'
import { createCallController } from '@/lib/client/calls/call-controller'
import type { CallControllerEvent, CallControllerPorts } from '@/lib/client/calls/call-ports'
import { createWebCallLocks } from '@/lib/client/calls/call-locks.browser'
import { onBranch } from '../files/branch-follower.browser'
import { namesForCode } from '@/lib/shared/tools/discovery'
import { toolRegistry } from './page-tools.browser'
import { toolRuntimes } from '../tool-runtimes.browser'
import { vaultOf } from '../secrets.browser'
import { attention } from '../attention.browser'
import { pageWho } from '../nod-api.browser'
import { builtFile } from '@/lib/base/base-path'
import { createCallSecrets } from '@/lib/client/secrets/call-secrets'
import { findBesidePage, type SecretsWorkerPort } from '@/lib/client/secrets/find-beside'
import { holderOf, viewOf } from '@/lib/client/state/open-conversations'

// Loaded with the first reply: parsing replies, the tools and the code that carries out decisions.

export interface CallWiring {
  readonly store: ClientStore
  readonly api: NodApi
  readonly chat: ChatController
  /** Notifies the other tabs that a conversation changed. */
  readonly announce: (conversationId: string | null) => void
  readonly newId: () => string
  readonly wait: (ms: number) => Promise<void>
}

export function createCalls({ store, api, chat, announce, newId, wait }: CallWiring): CallActions {
  return createCallController({
    runnerId: newId(),
    newId,
    ...bothClocks,
    wait,
    getState: store.getState,
    dispatch(event) {
      const before = store.getState()
      store.dispatch(event)
      const conversationId = changedRows(event, store.getState())
      if (conversationId === null || store.getState() === before) return
      announce(conversationId)
      // The list counts what waits, including lifted calls and gated results.
      if (event.type !== 'call-recorded' || event.call.gated) chat.changedElsewhere(null)
    },
    readCalls: readCallsIn(store),
    api,
    toolOf: (name, tools) => toolRegistry.of(tools).get(name),
    secrets: createCallSecrets(
      vaultOf,
      findBesidePage(
        () => new Worker(builtFile('/workers/secrets.js'), { type: 'module' }) as SecretsWorkerPort,
        () => wait(0),
      ),
    ),
    postResults: (conversationId, append) => api.chat({ conversationId, append }),
    async pictures(conversationId, files) {
      const { loadMessagePictures } = await loadPart(() => import('../files/message-pictures.browser'))
      return loadMessagePictures(conversationId, files)
    },
    marksOf,
    locks: createWebCallLocks(locksOrNull()),
    hasOtherDevices: pageWho !== '',
    runtime: async (conversationId) => onBranch(conversationId, await toolRuntimes.get(conversationId), store),
    toolsForCode: ({ tools, conversation }) =>
      conversation ? namesForCode(toolRegistry.of(tools), conversation.settings.tools) : [],
    joinRun: chat.joinRun,
  })
}

const marksOf: CallControllerPorts['marksOf'] = async ({ view, ...asked }) => {
  const { callOrigins } = await loadPart(() => import('./call-origins.browser'))
  return callOrigins.marks({ view, ...asked, tools: toolRegistry.of(view.tools) })
}

/** Calls are parsed with the tools of their conversation, whichever is shown. */
const readCallsIn =
  (store: ClientStore): CallControllerPorts['readCalls'] =>
  (message, config, amendments) => {
    const tools = store.getState().open.get(message.conversationId)?.tools ?? []
    return replyCalls(message, config, amendments, toolRegistry.of(tools))
  }

/** The conversation whose rows an event changes; null: it concerns only this tab. */
function changedRows(event: CallControllerEvent, state: ClientState): string | null {
  switch (event.type) {
    case 'call-live':
    case 'results-held':
    case 'conversation-held':
    case 'conversation-released':
      return null
    case 'call-recorded':
      return holderOf(state, event.call.messageId)?.id ?? null
    case 'amendments-changed':
    case 'grant-changed':
    case 'messages-loaded':
      return event.conversationId
  }
}

export interface ApprovalWiring {
  readonly store: ClientStore
  readonly calls: CallActions
  readonly dialog: ApprovalUIAdapter
  readonly isWatched: (replyId: string) => boolean
}

/**
 * From here on the user is asked about waiting calls, and calls that a rule or grant allows run automatically. Returns
 * how the cards answer.
 */
export function startApprovals({ store, calls, dialog, isWatched }: ApprovalWiring): InlineApproval['answer'] {
  const inline = createInlineApproval({ monotonic: monotonicClock })
  let inViewSince = monotonicClock()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') inViewSince = monotonicClock()
  })
  const counted = countDecisions({
    monotonic: monotonicClock,
    now: wallClock,
    inViewSince: () => inViewSince,
    record: (decision) => attention.record(decision),
  })
  const countedDialog = counted(dialog)
  createApprovalService({
    getState: store.getState,
    subscribe: store.subscribe,
    actions: calls,
    readCalls: readCallsIn(store),
    toolOf: (name) => toolRegistry.of(viewOf(store.getState()).tools).get(name),
    marksOf,
    cards: counted(inline),
    screenOf: (where) => (where === 'inline' ? null : countedDialog),
    isWatched,
    now: wallClock,
  })
  return inline.answer
}

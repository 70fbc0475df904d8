import { onTestFinished } from 'vitest'
import type { CallActions } from '@/lib/client/chats/actions'
import { viewOf } from '@/lib/client/state/open-conversations'
import { replyCalls } from '@/lib/client/state/parsed-reply'
import type { ClientStore } from '@/lib/client/state/store'
import { createApprovalService } from '@/lib/client/calls/approval/approval-service'
import { createInlineApproval, type InlineApproval } from '@/lib/client/calls/approval/inline-approval'
import { toolRegistry } from '@/lib/shared/tools/testing/built-in'
import type { ToolRegistry } from '@/lib/shared/tools/tool-registry'

/** Connects clicks on a card to these actions, as in the page. For a stored reply: nothing runs automatically. */
export function approvalsOver(
  store: ClientStore,
  actions: CallActions,
  registry: ToolRegistry = toolRegistry,
): InlineApproval['answer'] {
  const tools = () => registry.of(viewOf(store.getState()).tools)
  const cards = createInlineApproval({ monotonic: () => 0 })
  const end = createApprovalService({
    ...store,
    actions,
    readCalls: (message, config, amendments) => replyCalls(message, config, amendments, tools()),
    toolOf: (name) => tools().get(name),
    marksOf: () => Promise.resolve(new Map()),
    cards,
    screenOf: () => null,
    isWatched: () => false,
    now: () => 0,
  })
  onTestFinished(end)
  return cards.answer
}

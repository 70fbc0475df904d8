import { isHere } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { isGated, type MessageCall, waitingCalls, isReadForCalls } from '@/lib/shared/calls/message-calls'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { worksOnLast } from './open-conversations'
import { callKey, type ConversationState } from './state'
import { amendmentsOf, replyCalls } from './parsed-reply'

/** The calls of the last reply, if it has any, and what is known of each. */
export function lastCalls(view: ConversationState, tools: ToolSet) {
  const last = view.path.at(-1)
  const config = view.conversation?.settings.tools
  if (!config || !isReadForCalls(last)) return null
  const calls = replyCalls(last, config, amendmentsOf(view, last.id), tools)
  const recordOf = (slot: number) => view.calls.get(callKey(last.id, slot))
  const liveOf = (slot: number) => view.live.get(callKey(last.id, slot))
  const records = calls.flatMap(({ slot }) => recordOf(slot) ?? [])
  return { calls, records, liveOf, waiting: waitingCalls(calls, recordOf, config.maxCallsPerReply) }
}

/**
 * The state of the turn that the last message began. `over`: a message can be added behind it. `writing`: a reply is
 * being written. `working`: its calls run, or their results are about to be sent. `decision`: its calls wait for the
 * user. `stopped` and `failed`: the reply ended early, so the user decides whether to continue.
 */
export type Turn = 'over' | 'writing' | 'working' | 'decision' | 'stopped' | 'failed'

type CallsOf = (reply: AssistantMessage) => readonly Pick<MessageCall, 'slot'>[]

/** `callsOf`: reads the calls of a finished reply. */
export function turnWith(view: ConversationState, callsOf: CallsOf): Turn {
  if (view.run || view.sending) return 'writing'
  const last = view.path.at(-1)
  if (!last) return 'over'
  // The end of a chat is always loaded with it.
  if (!isHere(last)) return 'writing'
  if (last.role === 'user') return 'over'
  switch (last.outcome) {
    case 'stopped':
      return 'stopped'
    case 'failed':
    case 'interrupted':
      return 'failed'
    case 'length':
      return 'over'
    case null:
      return 'writing'
    case 'finished':
      return afterCalls(view, last.id, callsOf(last))
  }
}

/**
 * The state after a finished reply with calls. Its results are a later message, so they have not been sent while it is
 * the last one.
 */
function afterCalls(view: ConversationState, replyId: string, calls: ReturnType<CallsOf>): Turn {
  if (calls.length === 0) return 'over'
  if (worksOnLast(view)) return 'working'
  if (view.heldBack.has(replyId)) return 'decision'
  const isOpen = ({ slot }: Pick<MessageCall, 'slot'>) => {
    const record = view.calls.get(callKey(replyId, slot))
    // A call that began and is not running in this tab may be another tab's, or was interrupted: its card asks.
    return !record || isGated(record) || (record.decision === 'run' && record.outcome === null)
  }
  return calls.some(isOpen) ? 'decision' : 'working'
}

export const turnOf = (view: ConversationState, tools: ToolSet): Turn =>
  turnWith(view, (reply) => {
    const config = view.conversation?.settings.tools
    return config ? replyCalls(reply, config, amendmentsOf(view, reply.id), tools) : []
  })

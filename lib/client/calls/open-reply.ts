import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { holderOf } from '@/lib/client/state/open-conversations'
import { callKey, type CallKey, type ConversationState } from '@/lib/client/state/state'
import { withRetry } from '@/lib/client/api/api-client'
import type { LiveCall } from '@/lib/shared/calls/call-state'
import { type MessageCall, isReadForCalls } from '@/lib/shared/calls/message-calls'
import type { CallControllerPorts } from './call-ports'

/**
 * A reply whose calls are being worked on, always in its current state, read from the store. While work is pending its
 * conversation stays in the store, so that the work continues and stays visible when the user opens another one.
 */
export interface OpenReply {
  readonly conversationId: string
  readonly messageId: string
  /** The conversation as the page knows it; its last state if it was removed. */
  readonly view: () => ConversationState
  readonly config: () => ToolCallConfig
  readonly calls: () => readonly MessageCall[]
  /** The calls of these slots, in that order. */
  readonly pick: (slots: readonly number[]) => readonly MessageCall[]
  readonly keyOf: (slot: number) => CallKey
  readonly recordOf: (slot: number) => CallRecord | undefined
  readonly liveOf: (slot: number) => LiveCall | undefined
  readonly record: (row: CallRecord) => void
  readonly setLive: (slot: number, live: LiveCall | null) => void
  /** Shows a sentence on the card of a call. */
  readonly say: (slot: number, problem: string, more?: Partial<LiveCall>) => void
  /** Why the results of the reply are not sent yet, as a sentence; null: nothing holds them back. */
  readonly holdBack: (problem: string | null) => void
  /** Loads what other tabs and devices did with the calls. Returns false if the server can't be reached. */
  readonly load: () => Promise<boolean>
  readonly hold: <T>(work: () => Promise<T>) => Promise<T>
}

const LOAD_TRIES = 6

/** Returns null if the page does not have the reply, or if it contains no call: then nothing of it can run. */
export function openReply(
  ports: Pick<CallControllerPorts, 'getState' | 'dispatch' | 'readCalls' | 'api' | 'wait' | 'now'>,
  messageId: string,
): OpenReply | null {
  const { getState, dispatch } = ports
  let known = holderOf(getState(), messageId)
  const message = known?.tree.get(messageId)
  if (!known?.conversation || !isReadForCalls(message)) return null
  const { id: conversationId } = known
  let { tools } = known.conversation.settings

  const view = (): ConversationState => (known = getState().open.get(conversationId) ?? (known as ConversationState))
  const config = () => (tools = view().conversation?.settings.tools ?? tools)
  const calls = () => ports.readCalls(message, config(), view().amendments.get(messageId) ?? [])
  const keyOf = (slot: number) => callKey(messageId, slot)
  const setLive = (slot: number, live: LiveCall | null) => dispatch({ type: 'call-live', key: keyOf(slot), live })

  return {
    conversationId,
    messageId,
    view,
    config,
    calls,
    keyOf,
    setLive,
    pick(slots) {
      const all = calls()
      return [...new Set(slots)].flatMap((slot) => all.find((call) => call.slot === slot) ?? [])
    },
    recordOf: (slot) => view().calls.get(keyOf(slot)),
    liveOf: (slot) => view().live.get(keyOf(slot)),
    record: (call) => dispatch({ type: 'call-recorded', call }),
    say: (slot, problem, more = {}) =>
      setLive(slot, { startedAt: ports.now(), attempt: 1, events: [], outcome: null, problem, ...more }),
    holdBack: (problem) => dispatch({ type: 'results-held', messageId, problem }),
    async load() {
      const ask = () => ports.api.messages(conversationId, [messageId])
      const page = await withRetry(ask, { tries: LOAD_TRIES, wait: ports.wait })
      if (!page.ok) return false
      dispatch({ type: 'messages-loaded', conversationId, ...page.value })
      return true
    },
    async hold(work) {
      dispatch({ type: 'conversation-held', conversationId })
      try {
        return await work()
      } finally {
        dispatch({ type: 'conversation-released', conversationId })
      }
    },
  }
}

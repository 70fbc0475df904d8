import type { AssistantMessage, CallRecord } from '@/lib/chat/conversation'
import { callKey, type CallKey, type LiveCall } from '@/lib/client/state'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { CallControllerPorts } from './call-ports'
import type { MessageCall } from './message-calls'
import { withRetry } from './retry'

/** What a click needs to know of its message, read once at the click: the user may look at another chat later. */
export interface MessageContext {
  readonly conversationId: string
  readonly messageId: string
  readonly timeoutMs: number
  readonly calls: readonly MessageCall[]
}

/** Console lines kept of a running call; the card shows the last few, the outcome has its own copy. */
const MAX_LIVE_EVENTS = 500
const EVENT_FLUSH_MS = 60

/**
 * What this tab knows of calls, beyond the view: a call goes on when its conversation is no longer shown, and rows that
 * arrived for it must not be lost then. Everything also goes to the store, where the cards read it.
 */
export function createCallMemory(ports: Pick<CallControllerPorts, 'getState' | 'dispatch' | 'readCalls' | 'wait'>) {
  const records = new Map<CallKey, CallRecord>()
  const lives = new Map<CallKey, LiveCall>()

  function newer(a: CallRecord | undefined, b: CallRecord | undefined): CallRecord | undefined {
    if (!a || !b) return a ?? b
    if (a.attempt !== b.attempt) return a.attempt > b.attempt ? a : b
    if ((a.outcome === null) !== (b.outcome === null)) return a.outcome === null ? b : a
    return b.postedIn === null ? a : b
  }

  function setLive(key: CallKey, live: LiveCall | null): void {
    if (live) lives.set(key, live)
    else lives.delete(key)
    ports.dispatch({ type: 'call-live', key, live })
  }

  return {
    setLive,
    liveOf: (key: CallKey): LiveCall | undefined => lives.get(key),

    recordOf(messageId: string, slot: number): CallRecord | undefined {
      const key = callKey(messageId, slot)
      return newer(records.get(key), ports.getState().view.calls.get(key))
    },

    record(call: CallRecord): void {
      const key = callKey(call.messageId, call.slot)
      const kept = newer(records.get(key), call) ?? call
      records.set(key, kept)
      const shown = ports.getState().view.calls.get(key)
      if (shown && shown.attempt === kept.attempt && isSameNews(shown, kept)) return
      ports.dispatch({ type: 'call-recorded', call: kept })
    },

    /** Null when the message is not in view or not a finished reply: then nothing of it can be run. */
    contextOf(messageId: string): MessageContext | null {
      const { view } = ports.getState()
      const message = view.tree.get(messageId)
      if (!view.conversation || message?.role !== 'assistant' || message.outcome !== 'finished') return null
      const { tools } = view.conversation.settings
      return {
        conversationId: view.id,
        messageId,
        timeoutMs: tools.timeoutMs,
        calls: ports.readCalls(message satisfies AssistantMessage, tools, view.amendments.get(messageId) ?? []),
      }
    },

    /** Shows this tab's live calls of a message again, after its conversation was left and opened anew. */
    showAgain(messageId: string): void {
      for (const [key, live] of lives)
        if (key.startsWith(`${messageId}:`)) ports.dispatch({ type: 'call-live', key, live })
    },

    /** Collects a run's events and shows them in steps, so that a flood of output never floods the page. */
    collectEvents(key: CallKey): (event: SandboxEvent) => void {
      const waiting: SandboxEvent[] = []
      let scheduled = false
      const flush = () => {
        scheduled = false
        const live = lives.get(key)
        const added = waiting.splice(0)
        if (live && live.outcome === null) {
          setLive(key, { ...live, events: [...live.events, ...added].slice(-MAX_LIVE_EVENTS) })
        }
      }
      return (event) => {
        waiting.push(event)
        if (waiting.length > MAX_LIVE_EVENTS) waiting.shift()
        if (scheduled) return
        scheduled = true
        void ports.wait(EVENT_FLUSH_MS).then(flush)
      }
    },
  }
}

const isSameNews = (a: CallRecord, b: CallRecord): boolean =>
  (a.outcome === null) === (b.outcome === null) && a.postedIn === b.postedIn && a.decision === b.decision

export type CallMemory = ReturnType<typeof createCallMemory>

const LOAD_TRIES = 6

/** Learns from the server what other tabs and devices did with the calls of a message. False: it can't be reached. */
export async function loadRows(
  ports: Pick<CallControllerPorts, 'server' | 'wait'>,
  memory: CallMemory,
  { conversationId, messageId }: Pick<MessageContext, 'conversationId' | 'messageId'>,
): Promise<boolean> {
  const rows = await withRetry(() => ports.server.loadCalls(conversationId), { tries: LOAD_TRIES, wait: ports.wait })
  if (!rows.ok) return false
  for (const row of rows.value) if (row.messageId === messageId) memory.record(row)
  return true
}

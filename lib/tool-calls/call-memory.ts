import type {
  AssistantMessage,
  CallAmendment,
  CallRecord,
  Grant,
  ToolCallConfig,
} from '@/lib/conversation/conversation'
import { callKey, type CallKey } from '@/lib/client/state'
import type { LiveCall } from '@/lib/calls/live-call'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { CallControllerPorts } from './call-ports'
import type { MessageCall } from '@/lib/calls/message-calls'
import { isSameRecord, newerRecord } from '@/lib/calls/newer-record'
import { withRetry } from './retry'

/** What a click needs to know of its message, read once at the click: the user may look at another chat later. */
export interface MessageContext {
  readonly conversationId: string
  readonly messageId: string
  readonly message: AssistantMessage
  readonly config: ToolCallConfig
  /** As they stood at the click; `callsNow` gives them as they stand. */
  readonly calls: readonly MessageCall[]
}

/** Console lines kept of a running call; the card shows the last few, the outcome has its own copy. */
const MAX_LIVE_EVENTS = 500
const EVENT_FLUSH_MS = 60

type MemoryPorts = Pick<CallControllerPorts, 'getState' | 'dispatch' | 'readCalls' | 'wait'>

/**
 * What this tab knows of calls, beyond the view: a call goes on when its conversation is no longer shown, and rows that
 * arrived for it must not be lost then. Everything also goes to the store, where the cards read it.
 */
export function createCallMemory(ports: MemoryPorts) {
  const records = new Map<CallKey, CallRecord>()
  const lives = new Map<CallKey, LiveCall>()
  /** Message id → amendments, for when its conversation is not in view. */
  const amendments = new Map<string, readonly CallAmendment[]>()

  function setLive(key: CallKey, live: LiveCall | null): void {
    if (live) lives.set(key, live)
    else lives.delete(key)
    ports.dispatch({ type: 'call-live', key, live })
  }

  /** Null when the message is not in view or not a finished reply: then nothing of it can be run. */
  function contextOf(messageId: string): MessageContext | null {
    const { view } = ports.getState()
    const message = view.tree.get(messageId)
    if (!view.conversation || message?.role !== 'assistant' || message.outcome !== 'finished') return null
    const config = view.conversation.settings.tools
    const calls = ports.readCalls(message, config, view.amendments.get(messageId) ?? [])
    return { conversationId: view.id, messageId, message, config, calls }
  }

  function recordOf(messageId: string, slot: number): CallRecord | undefined {
    const key = callKey(messageId, slot)
    const mine = records.get(key)
    const shown = ports.getState().view.calls.get(key)
    return mine && shown ? newerRecord(mine, shown) : (mine ?? shown)
  }

  return {
    setLive,
    contextOf,
    recordOf,
    liveOf: (key: CallKey): LiveCall | undefined => lives.get(key),

    record(call: CallRecord): void {
      const key = callKey(call.messageId, call.slot)
      const known = records.get(key)
      const kept = known ? newerRecord(known, call) : call
      records.set(key, kept)
      const shown = ports.getState().view.calls.get(key)
      if (shown && isSameRecord(shown, kept)) return
      ports.dispatch({ type: 'call-recorded', call: kept })
    },

    amended(conversationId: string, messageId: string, rows: readonly CallAmendment[]): void {
      amendments.set(messageId, rows)
      const shown = ports.getState().view.amendments.get(messageId) ?? []
      if (JSON.stringify(shown) === JSON.stringify(rows)) return
      ports.dispatch({ type: 'amendments-changed', conversationId, messageId, amendments: rows })
    },

    granted(conversationId: string, grant: Grant): void {
      const { view } = ports.getState()
      const shown = view.grants.find(({ id }) => id === grant.id)
      if (view.id !== conversationId || (shown && JSON.stringify(shown) === JSON.stringify(grant))) return
      ports.dispatch({ type: 'grant-changed', conversationId, grant })
    },

    /** The settings as they stand by now, where they are in view: the user may have allowed more. */
    configNow: (context: MessageContext): ToolCallConfig => contextOf(context.messageId)?.config ?? context.config,

    /** The calls as they stand by now, with what was amended since the click. */
    callsNow(context: MessageContext): readonly MessageCall[] {
      const { messageId, message, config } = context
      const shown = contextOf(messageId)
      if (shown) return shown.calls
      const known = amendments.get(messageId)
      return known ? ports.readCalls(message, config, known) : context.calls
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

export type CallMemory = ReturnType<typeof createCallMemory>

const LOAD_TRIES = 6

/** Learns from the server what other tabs and devices did with the calls of a message. False: it can't be reached. */
export async function loadRows(
  ports: Pick<CallControllerPorts, 'server' | 'wait'>,
  memory: CallMemory,
  { conversationId, messageId }: Pick<MessageContext, 'conversationId' | 'messageId'>,
): Promise<boolean> {
  const rows = await withRetry(() => ports.server.loadRows(conversationId), { tries: LOAD_TRIES, wait: ports.wait })
  if (!rows.ok) return false
  const { calls, amendments, grants } = rows.value
  for (const row of calls) if (row.messageId === messageId) memory.record(row)
  memory.amended(
    conversationId,
    messageId,
    amendments.filter((row) => row.messageId === messageId),
  )
  for (const grant of grants) memory.granted(conversationId, grant)
  return true
}

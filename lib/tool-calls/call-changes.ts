import { callSentence } from '@/lib/words/calls'
import type { CallActions } from '@/lib/client/actions'
import type { Grant, GrantScope, ResultRelease } from '@/lib/conversation/conversation'
import { callKey } from '@/lib/client/state'
import { callHash } from '@/lib/calls/call-hash'
import { loadRows, type CallMemory, type MessageContext } from './call-memory'
import type { CallControllerPorts } from './call-ports'
import { whyRefused } from './decide-call'
import { needsWord, type MessageCall } from '@/lib/calls/message-calls'
import { withRetry } from './retry'
import { err, ok, type Result } from '@/lib/base/result'

const TRIES = 3
const gone = callSentence('calls.reply-not-in-view')

export interface CallChangesEvents {
  /** A click on the call is being worked on. */
  readonly isBusy: (messageId: string, slot: number) => boolean
  /** What waited may be through now. */
  readonly onSettled: (context: MessageContext) => void
}

/** The user's own hand on calls and results, and what was remembered: stored first, then shown. */
export function createCallChanges(ports: CallControllerPorts, memory: CallMemory, events: CallChangesEvents) {
  const patiently = { tries: TRIES, wait: ports.wait }
  const amending = createTurns()

  const amend: CallActions['amend'] = async (messageId, slot, call) => {
    const context = memory.contextOf(messageId)
    if (!context) return gone
    // One after the other: an older change that is tried again must not come after a newer one and take its place.
    return amending(callKey(messageId, slot), () => store(context, slot, call))
  }

  async function store(context: MessageContext, slot: number, call: Parameters<CallActions['amend']>[2]) {
    const { messageId } = context
    if (events.isBusy(messageId, slot) || memory.recordOf(messageId, slot)) {
      return callSentence('calls.decided')
    }
    const amendment = call === 'undo' ? null : { call }
    const answer = await withRetry(
      () => ports.server.amend(context.conversationId, { messageId, slot, amendment }),
      patiently,
    )
    if (answer.ok) memory.amended(context.conversationId, messageId, answer.value)
    else await loadRows(ports, memory, context)
    // One that cannot run waits for nobody once the user's hand is off it, and may have been the last one that did.
    const now = memory.callsNow(context).find((one) => one.slot === slot)
    if (!now || !needsWord(now)) events.onSettled(context)
    return answer.ok ? null : answer.error.message
  }

  const release: CallActions['release'] = async (messageId, slot, word) => {
    const context = memory.contextOf(messageId)
    const row = memory.recordOf(messageId, slot)
    if (!context) return gone
    if (!row?.outcome || !row.gated) return callSentence('calls.nothing-waits')
    const request = { messageId, slot, attempt: row.attempt, release: word }
    const answer = await withRetry(() => ports.server.release(context.conversationId, request), patiently)
    if (answer.ok) memory.record(answer.value)
    else await loadRows(ports, memory, context)
    events.onSettled(context)
    if (!answer.ok) return answer.error.message
    return isWhatWasSaid(answer.value.release, word) ? null : callSentence('calls.decided-elsewhere')
  }

  /** The grant, or a sentence. The id is made once, so that a request that is sent again gives one grant. */
  async function giveGrant(
    context: MessageContext,
    target: MessageCall,
    kind: GrantScope['kind'],
  ): Promise<Result<Grant, string>> {
    const { conversationId, messageId } = context
    const { slot, call } = target
    const hash = await callHash(messageId, slot, call.name, call.arguments)
    const request = { id: ports.newId(), messageId, slot, callHash: hash, kind }
    const answer = await withRetry(() => ports.server.giveGrant(conversationId, request), patiently)
    if (!answer.ok) return err(await whyRefused(ports, memory, context, target, answer.error))
    memory.granted(conversationId, answer.value)
    return ok(answer.value)
  }

  const revokeGrant: CallActions['revokeGrant'] = async (grantId) => {
    const { id: conversationId } = ports.getState().view
    const answer = await withRetry(() => ports.server.revokeGrant(conversationId, grantId), patiently)
    if (!answer.ok) return answer.error.message
    memory.granted(conversationId, answer.value)
    return null
  }

  return { amend, release, giveGrant, revokeGrant }
}

/** Work of one name goes one after the other, in the order in which it was asked for. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const mine = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, mine)
    return mine
  }
}

const isWhatWasSaid = (stands: ResultRelease | null, said: Parameters<CallActions['release']>[2]): boolean =>
  stands !== null &&
  stands.kind === said.kind &&
  stands.note === said.note &&
  (stands.kind !== 'changed' ||
    said.kind !== 'changed' ||
    JSON.stringify(stands.result) === JSON.stringify(said.result))

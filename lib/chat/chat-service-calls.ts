import { AppError } from '@/lib/base/app-error'
import type { StoredConversation } from '@/lib/store/store'
import { needsResultApproval } from '@/lib/calls/approval-policy'
import { needsWord, type MessageCall } from '@/lib/calls/message-calls'
import type {
  AmendCall,
  DecideCall,
  DecideCallResponse,
  FinishCall,
  GiveGrant,
  ReleaseResult,
  StopCall,
} from '@/lib/conversation/api-types'
import type { ChatServicePorts } from './chat-service'
import { grantScope, refuseUnlessCovered } from './chat-service-approval'
import type { AssistantMessage, CallAmendment, CallRecord, Grant } from '@/lib/conversation/conversation'
import { stoppedBefore } from '@/lib/conversation/stopped-outcome'

export interface CallActions {
  /**
   * Grants a call to one runner, once; what is granted is the call as it stands in the stored text with its amendment.
   * What decided without a click is checked, and refused as `conflict` where it does not hold.
   */
  decide(owner: string, conversationId: string, request: DecideCall): Promise<DecideCallResponse>
  /** Notes that the user stopped a run, and what it had said by then once that is known. */
  stopCall(owner: string, conversationId: string, request: StopCall): Promise<CallRecord>
  /** Stores the outcome of a granted call, once, and says whether it waits for a look. */
  finish(owner: string, conversationId: string, request: FinishCall): Promise<CallRecord>
  release(owner: string, conversationId: string, request: ReleaseResult): Promise<CallRecord>
  /** Gives the amendments of that message. */
  amend(owner: string, conversationId: string, request: AmendCall): Promise<readonly CallAmendment[]>
  giveGrant(owner: string, conversationId: string, request: GiveGrant): Promise<Grant>
  revokeGrant(owner: string, conversationId: string, grantId: string): Promise<Grant>
}

/** Reads the calls of replies of one conversation, with its amendments or with others in their place. */
export type CallReader = (message: AssistantMessage, amendments?: readonly CallAmendment[]) => readonly MessageCall[]

interface CallActionPorts extends Pick<ChatServicePorts, 'store' | 'clock' | 'callHash' | 'toolFacts'> {
  readonly load: (owner: string, id: string) => Promise<StoredConversation>
  readonly callReader: (stored: StoredConversation) => CallReader
}

const MAX_GRANTS = 500

export function callActions({ store, clock, callHash, toolFacts, load, callReader }: CallActionPorts): CallActions {
  /**
   * The effective call that a request names; refused when it is not the one that the request means, or cannot run. A no
   * needs no call that could.
   */
  async function findCall(stored: StoredConversation, { messageId, slot, callHash: claimed }: CallName, isNo = false) {
    const message = replyOf(stored, messageId)
    const found = callReader(stored)(message).find((call) => call.slot === slot)
    if (!found || !(found.runnable || isNo)) throw new AppError('call-not-open', whyNot(message, found))
    const hash = await callHash(message.id, slot, found.call.name, found.call.arguments)
    if (hash !== claimed) {
      throw new AppError('conflict', 'This call is not the one that stands in the stored reply. Reload the page.')
    }
    return { message, found }
  }

  return {
    async decide(owner, conversationId, request) {
      const stored = await load(owner, conversationId)
      const { message, found } = await findCall(stored, request, request.decision !== 'run')
      const { slot, decision, runnerId, attempt, by = { kind: 'click' }, cancelled = false } = request
      const { call } = found
      if (cancelled && (decision !== 'run' || attempt !== 1 || by.kind !== 'click')) {
        throw new AppError('conflict', 'Only a call that was about to run can be cancelled, and only by you.')
      }
      if (decision !== 'run' && by.kind !== 'click') {
        throw new AppError('conflict', 'Only you can deny a call or leave it out.')
      }
      const known = stored.calls.find((row) => row.messageId === message.id && row.slot === slot)
      // A decision that stands is given back by the store, whatever has become of its grounds since.
      const isNew = !known || known.attempt < attempt
      const tool = toolFacts(call.name)
      const facts = { stored, message, found, tool, attempt, now: clock.now(), readCalls: callReader(stored) }
      const holds = isNew ? await refuseUnlessCovered(by, facts) : null
      const effective = { name: call.name, arguments: call.arguments }
      const record: CallRecord = {
        messageId: message.id,
        slot,
        callId: call.id,
        name: call.name,
        callHash: request.callHash,
        decision,
        reason: request.reason ?? '',
        changed: found.changed && decision === 'run' ? effective : null,
        by: cancelled ? { kind: 'run-stopped' } : by,
        runnerId,
        attempt,
        decidedAt: clock.now(),
        outcome: null,
        ...(cancelled && { stopped: stoppedBefore(clock.now()) }),
        finishedAt: null,
        gated: false,
        release: null,
        postedIn: null,
      }
      return store.decideCall(owner, conversationId, record, {
        asked: found.changed ? found.asked : effective,
        amendment: stored.amendments.find((one) => one.messageId === message.id && one.slot === slot) ?? null,
        maxRuns: stored.conversation.settings.tools.maxCallsPerReply,
        ...(holds && { holds }),
        // A denied call that could not run never was among those that wait.
        ...(needsWord(found) ? {} : { uncounted: true }),
      })
    },

    async stopCall(owner, conversationId, { outcome = null, ...key }) {
      const call = await store.stopCall(owner, conversationId, key, outcome, clock.now())
      if (call) return call
      await load(owner, conversationId)
      throw new AppError('call-not-open', 'This call does not run here, so there is nothing to stop.')
    },

    async finish(owner, conversationId, { outcome, ...key }) {
      const call = await store.finishCall(
        owner,
        conversationId,
        key,
        outcome,
        ({ name }, settings) => needsResultApproval(toolFacts(name), settings.tools, outcome),
        clock.now(),
      )
      if (call) return call
      await load(owner, conversationId)
      throw new AppError('call-not-open', 'This result belongs to no run that was granted here, so it is not kept.')
    },

    release: (owner, conversationId, { release, ...key }) =>
      store.releaseCall(owner, conversationId, key, { ...release, by: { kind: 'click' }, releasedAt: clock.now() }),

    async amend(owner, conversationId, { messageId, slot, amendment }) {
      const stored = await load(owner, conversationId)
      const message = replyOf(stored, messageId)
      const read = callReader(stored)
      const now = clock.now()
      if (amendment) {
        const amended: CallAmendment = { messageId, slot, call: amendment.call, amendedAt: now }
        const found = read(message, [...others(stored.amendments, amended), amended]).find((call) => call.slot === slot)
        if (!found) throw new AppError('call-not-open', whyNot(message, undefined))
      }
      // A call that was decided counts whatever became of its tool: the list takes the decided ones off again.
      const decided = new Set(stored.calls.filter((row) => row.messageId === messageId).map((row) => row.slot))
      return store.amendCall(
        owner,
        conversationId,
        { messageId, slot },
        amendment,
        (reply, amendments) =>
          read(reply, amendments).filter((call) => needsWord(call) || decided.has(call.slot)).length,
        now,
      )
    },

    async giveGrant(owner, conversationId, request) {
      const stored = await load(owner, conversationId)
      const given = stored.grants.find(({ id }) => id === request.id)
      if (given) return given
      if (stored.grants.length >= MAX_GRANTS) {
        throw new AppError('conflict', `This chat remembers ${MAX_GRANTS} answers, which is as many as it can.`)
      }
      const { requireConfirmation, grantLifetimeMs } = stored.conversation.settings.tools
      if (requireConfirmation) {
        throw new AppError('conflict', 'Every call of this chat waits for a click, so no yes is remembered.')
      }
      const { found } = await findCall(stored, request)
      const now = clock.now()
      return store.giveGrant(owner, conversationId, {
        id: request.id,
        scope: await grantScope(request.kind, toolFacts(found.call.name), found.call),
        givenOn: { messageId: request.messageId, slot: request.slot },
        createdAt: now,
        ...(grantLifetimeMs !== null && { expiresAt: now + grantLifetimeMs }),
        uses: 0,
        lastUsedAt: null,
        revokedAt: null,
      })
    },

    async revokeGrant(owner, conversationId, grantId) {
      const grant = await store.revokeGrant(owner, conversationId, grantId, clock.now())
      if (!grant) throw new AppError('not-found', 'There is no such remembered answer in this chat.')
      return grant
    },
  }
}

type CallName = Pick<DecideCall, 'messageId' | 'slot' | 'callHash'>

const others = (amendments: readonly CallAmendment[], { messageId, slot }: CallAmendment): readonly CallAmendment[] =>
  amendments.filter((one) => one.messageId === messageId && one.slot !== slot)

function replyOf(stored: StoredConversation, messageId: string): AssistantMessage {
  const message = stored.messages.find(({ id }) => id === messageId)
  if (message?.role !== 'assistant') throw new AppError('not-found', 'This reply is not in this chat.')
  return message
}

function whyNot(message: AssistantMessage, call: MessageCall | undefined): string {
  if (message.outcome === null) return 'This reply is still being written, so nothing in it can run yet.'
  if (message.outcome !== 'finished') return 'This reply did not finish, so nothing in it can run.'
  if (!call) return 'There is no such call in this reply.'
  return 'This call cannot run as it stands.'
}

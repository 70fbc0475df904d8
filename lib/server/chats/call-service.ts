import { makeError } from '@/lib/i18n/t'
import type { StoredConversation } from '@/lib/server/store/ports/conversation-store'
import { holdsGatedResult, needsResultApproval, stayedUnseen } from '@/lib/shared/calls/approval-policy'
import { createInnerService, type InnerService } from './inner-service'
import { openCopy } from '@/lib/shared/calls/copy'
import { needsDecision } from '@/lib/shared/calls/message-calls'
import {
  callLinkRunner,
  isApprovedElsewhere,
  type AmendCall,
  type DecideCall,
  type DecideCallResponse,
  type ExplainDenial,
  type FinishCall,
  type ReleaseResult,
  type StopCall,
} from '@/lib/shared/conversation/wire/call-requests'
import {
  createCallReader,
  findCall,
  justReply,
  type LoadBranch,
  replyOf,
  whyNot,
  type CallReader,
} from '../stored-chats/stored-conversations'
import { loadGrounds, refuseOutsideChosenCopy, refuseUnlessCovered } from './chat-service-approval'
import { createGrantService, type GrantService } from './grant-service'
import { createOriginMarker } from '@/lib/shared/origin/mark-calls'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import type { CallAmendment, CallRecord, ReviewedBy } from '@/lib/shared/conversation/call-record'
import { stoppedWithOthers } from '@/lib/shared/conversation/stopped-outcome'
import type { AmendPlan, ReviewKey } from '@/lib/server/store/ports/call-store'

/** Operations on a reply's tool calls. */
export interface CallService extends GrantService, InnerService {
  /**
   * Grants a call to one runner, once. The granted call is the one in the stored text with its amendment. A decision
   * without a click is checked, and refused as `conflict` if it is not allowed. `review`: another account decides by a
   * link for it.
   */
  decide(
    owner: string,
    conversationId: string,
    request: DecideCall,
    review?: ReviewKey & { readonly name: string },
  ): Promise<DecideCallResponse>
  /** Records that the user stopped a run, and its partial output once that is known. */
  stopCall(owner: string, conversationId: string, request: StopCall): Promise<CallRecord>
  /** Stores the outcome of a granted call, once, and says whether it waits for review. */
  finish(owner: string, conversationId: string, request: FinishCall): Promise<CallRecord>
  release(owner: string, conversationId: string, request: ReleaseResult): Promise<CallRecord>
  /** Adds the reason to a denial, until the denial was sent to the model. */
  explainDenial(owner: string, conversationId: string, request: ExplainDenial): Promise<CallRecord>
  /** Returns the amendments of that message. */
  amend(owner: string, conversationId: string, request: AmendCall): Promise<readonly CallAmendment[]>
}

/** If an amendment loses a race against another one of the same reply, it is planned again on the current state. */
const AMEND_TRIES = 4

export function createCallService(
  ports: Pick<ChatServicePorts, 'store' | 'clock' | 'toolFacts' | 'discoverTools' | 'limits' | 'breathe'>,
  parts: { readonly load: LoadBranch; readonly readings: ReplyReadings },
): CallService {
  const { store, clock, toolFacts } = ports
  const { load } = parts
  const maxBytes = ports.limits.fair.maxBytesPerOwner
  const marker = createOriginMarker(ports.breathe)
  const callsIn = (stored: StoredConversation) => createCallReader(stored, ports.discoverTools, parts.readings)

  return {
    async decide(owner, conversationId, request, review) {
      const stored = await load(owner, conversationId, justReply(request.messageId))
      const readCalls = callsIn(stored)
      const { message, found } = await findCall(stored, readCalls, request, request.decision !== 'run')
      const { slot, decision, runnerId, attempt, by = { kind: 'click' }, cancelled = false } = request
      const { call } = found
      // The user decides on the files that the chat shows, and the page runs the call on its files: both must be the
      // same copy.
      if (decision === 'run' && !cancelled && (openCopy(stored.grants)?.id ?? null) !== (request.copyId ?? null)) {
        throw makeError('conflict', 'chat.call.copy-changed')
      }
      if (cancelled && (decision !== 'run' || attempt !== 1 || by.kind !== 'click')) {
        throw makeError('conflict', 'chat.call.not-cancellable')
      }
      if (decision !== 'run' && by.kind !== 'click') {
        throw makeError('conflict', 'chat.call.no-by-you')
      }
      const known = stored.calls.find((row) => row.messageId === message.id && row.slot === slot)
      // A stored decision is returned by the store, even if its basis has ended since.
      const isNew = !known || known.attempt < attempt
      const tool = toolFacts(call.name, stored.tools)
      const facts = { message, found, tool, attempt, now: clock.now() }
      // The page begins the copy before it decides; an old page, or a client of the API, may not.
      // An answer on another device runs nothing.
      const runsHere = decision === 'run' && !cancelled && !runnerId.startsWith(callLinkRunner)
      if (isNew && runsHere && request.copyId === undefined) {
        await refuseOutsideChosenCopy(load, owner, stored, facts)
      }
      const holds =
        isNew && by.kind !== 'click'
          ? await refuseUnlessCovered(by, {
              ...facts,
              ...(await loadGrounds(load, owner, stored, facts)),
              callsIn,
              origins: { owner, marker, toolFacts },
            })
          : null
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
        by: cancelled ? { kind: 'run-stopped' } : (reviewedBy(known, request, review?.name) ?? by),
        runnerId,
        attempt,
        decidedAt: clock.now(),
        outcome: null,
        ...(cancelled && { stopped: stoppedWithOthers(clock.now()) }),
        finishedAt: null,
        gated: false,
        release: null,
        postedIn: null,
      }
      return store.decideCall(
        owner,
        conversationId,
        record,
        {
          asked: found.changed ? found.asked : effective,
          amendment: stored.amendments.find((one) => one.messageId === message.id && one.slot === slot) ?? null,
          maxRuns: stored.conversation.settings.tools.maxCallsPerReply,
          ...(holds && { holds }),
          ...(review && { review: { tokenHash: review.tokenHash, reviewer: review.reviewer } }),
          // A denied call that could not run was never counted as waiting.
          ...(needsDecision(found) ? {} : { uncounted: true }),
        },
        maxBytes,
      )
    },

    async stopCall(owner, conversationId, { outcome = null, ...key }) {
      const call = await store.stopCall(owner, conversationId, key, outcome, clock.now(), maxBytes)
      if (call) return call
      await load(owner, conversationId, { head: null })
      throw makeError('call-not-open', 'chat.call.not-running')
    },

    async finish(owner, conversationId, { outcome, hold = false, ...key }) {
      const call = await store.finishCall(
        owner,
        conversationId,
        key,
        outcome,
        ({ name, outcome: ended, postedIn, inner }, settings, tools) => {
          const tool = toolFacts(name, tools)
          const finalOutcome = ended ?? outcome
          const isUnseen = postedIn !== null && stayedUnseen(tool, settings.tools, finalOutcome)
          const isHeld =
            (hold && (finalOutcome.status === 'completed' || finalOutcome.status === 'error')) ||
            holdsGatedResult(inner, settings.tools, (one) => toolFacts(one, tools))
          return isUnseen || isHeld || needsResultApproval(tool, settings.tools, finalOutcome)
        },
        clock.now(),
        maxBytes,
      )
      if (call) return call
      await load(owner, conversationId, { head: null })
      throw makeError('call-not-open', 'chat.call.not-granted')
    },

    ...createInnerService(ports, { load, callsIn, marker }),

    release(owner, conversationId, { release: choice, ...key }) {
      const release = { ...choice, by: { kind: 'click' }, releasedAt: clock.now() } as const
      return store.releaseCall(owner, conversationId, key, release, maxBytes)
    },

    explainDenial: (owner, conversationId, { reason, ...key }) =>
      store.explainDenial(owner, conversationId, key, reason, clock.now()),

    async amend(owner, conversationId, request) {
      for (let tries = 1; tries <= AMEND_TRIES; tries += 1) {
        const stored = await load(owner, conversationId, justReply(request.messageId))
        const now = clock.now()
        const plan = planAmendment(stored, callsIn(stored), request, now)
        const amendments = await store.amendCall(owner, conversationId, request, plan, now, maxBytes)
        if (amendments) return amendments
      }
      throw makeError('conflict', 'chat.reply-changed')
    },

    ...createGrantService(ports, { load, callsIn, marker }),
  }
}

/** The reviewer who decides now, or who approved the call that this attempt starts. */
function reviewedBy(
  known: CallRecord | undefined,
  { attempt, decision }: DecideCall,
  name: string | undefined,
): ReviewedBy | null {
  if (name !== undefined) return { kind: 'reviewer', name }
  const isStart = decision === 'run' && known && attempt === known.attempt + 1 && isApprovedElsewhere(known)
  return isStart && known.by.kind === 'reviewer' ? known.by : null
}

/** The user's amendment with the resulting reading of the reply; refused if the reply then has no such call. */
function planAmendment(
  stored: StoredConversation,
  readCalls: CallReader,
  { messageId, slot, amendment }: AmendCall,
  now: number,
): AmendPlan {
  const message = replyOf(stored, messageId)
  const seen = stored.amendments.filter((one) => one.messageId === messageId)
  const others = seen.filter((one) => one.slot !== slot)
  const next = amendment ? [...others, { messageId, slot, call: amendment.call, amendedAt: now }] : others
  const calls = readCalls(message, next)
  if (amendment && !calls.some((call) => call.slot === slot)) {
    throw makeError('call-not-open', whyNot(message, undefined))
  }
  // A decided call counts even if its tool is gone: the list subtracts the decided calls again.
  const decided = new Set(stored.calls.filter((row) => row.messageId === messageId).map((row) => row.slot))
  const runnableCalls = calls.filter((call) => needsDecision(call) || decided.has(call.slot)).length
  return { amendment, seen, runnableCalls }
}

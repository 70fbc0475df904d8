'use client'

import { createContext, useContext, type RefObject, useMemo } from 'react'
import type { StrategyId, ToolSpec, CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { CallSummary, ToolDefinition } from '@/lib/shared/tools/tool'
import type { CallEntry } from './use-message-calls'
import { useCallActions, useAnswer } from '@/components/context/chat-context'
import type { ReleaseResult } from '@/lib/shared/conversation/wire/api-types'
import type { GrantScope } from '@/lib/shared/conversation/conversation'
import type { CallActions } from '@/lib/client/chats/actions'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import { type Decisions, type QuestionKind, approvalKey } from '@/lib/client/calls/approval-ui'
import type { FileBasis } from '@/lib/client/calls/call-jobs'
import type { QuestionAnswer } from '@/lib/shared/mcp/server-question'
import type { AnswerDraft } from '@/lib/shared/tools/ask-user/answer'
import type { IconName } from '@/components/ui/controls/icon'
import { t, type NameIn } from '@/lib/i18n/t'
import { neededUser, neverBegan } from '@/lib/shared/conversation/stopped-outcome'
import { type CallState, isUnexplained } from '@/lib/shared/calls/call-state'

/** What is open in the foot of a card: the reason for a denial, or the editor. */
export type CardPanel = 'reason' | 'edit' | null

/** What keys do with a result that waits. */
export interface ResultApprovalKeys {
  readonly send: () => void
  readonly keep: () => void
}

/** Lets a key ask whether what a card holds could be seen. */
export interface EvidenceKeys {
  /** True when nothing is folded away and all of it was in view; else shows the next part of it, and says so. */
  readonly passes: () => boolean
  /** Something of it is folded away. Changes nothing. */
  readonly isFolded: () => boolean
  /** Opens what is folded, and brings the card into view. */
  readonly open: () => void
}

/** What the parts of a card reach each other by. */
export interface CardRefs {
  readonly card: RefObject<HTMLDivElement | null>
  /** What keys do with a result that waits; set while its gate is there. */
  readonly gate: RefObject<ResultApprovalKeys | null>
  /** Asked before a key runs the call; set while the call waits. */
  readonly look: RefObject<EvidenceKeys | null>
  /** Sends the form of a call that asks, as far as it is whole; set while it waits. */
  readonly submit: RefObject<(() => void) | null>
}

/** How many lines of a file came and went. */
export interface ChangedLines {
  readonly added: number
  readonly removed: number
}

/** One call, as all parts of its card see it: what was asked, how it stands, and what can be done with it. */
export interface CallScope {
  readonly conversationId: string
  readonly messageId: string
  /** The one that the reply was read by. */
  readonly strategy: StrategyId
  /** What the chat's settings offer now, for a call that is edited. */
  readonly tools: readonly ToolSpec[]
  readonly timeoutMs: number
  /** As the model wrote it. */
  readonly raw: string
  readonly entry: CallEntry
  readonly tool: ToolDefinition | undefined
  /** As far as the arguments alone say. */
  readonly summary: CallSummary | null
  /** It is the one that keys and the eye are on: it has the key hints. */
  readonly current: boolean
  /** Its button is the one that is filled: it is current, and no button over several cards is. */
  readonly filled: boolean
  /** No other call of the reply is open: what can't run may be told to the model by itself. */
  readonly canTell: boolean
  /** The user wrote something else after the reply. */
  readonly overtaken: boolean
  readonly rights: CallRights
  readonly decide: CallDecision
  /** What it changed in the one file that it changed, once that was compared; null: not known, or something else. */
  readonly lines: ChangedLines | null
  /** The same function over a card's life. */
  readonly tellLines: (lines: ChangedLines) => void
  /** The reader opened the finished card by its head. */
  readonly isUnfolded: boolean
  readonly panel: CardPanel
  /** Closing it gives the focus back to the card. */
  readonly setPanel: (panel: CardPanel) => void
  readonly refs: CardRefs
}

/** What is left to a person of a call that can't run as it stands, or does not. */
export interface CallRights {
  /** A no still counts. */
  readonly deny: boolean
  /** Its name or its arguments can be mended by hand. */
  readonly edit: boolean
  /** It was denied without a reason, and the model has not been told. */
  readonly reason: boolean
}

const CallScopeContext = createContext<CallScope | null>(null)

export const CallScopeProvider = CallScopeContext

export function useCall(): CallScope {
  const scope = useContext(CallScopeContext)
  if (!scope) throw new Error('This part of a card must stand inside a CallScopeProvider.')
  return scope
}

/** A name or arguments that don't fit can be mended by hand; a switched-off tool or a repeat can't. */
export function rightsOf({ call, state, record }: Pick<CallEntry, 'call' | 'state' | 'record'>, isLastReply: boolean) {
  const deny = isLastReply && (state.status === 'not_found' || state.status === 'not_runnable') && !state.posted
  const isMendable = call.problem?.code === 'unknown-tool' || call.problem?.code === 'invalid-arguments'
  const reason = state.status === 'execution_rejected' && !state.posted && isUnexplained(record)
  return { deny, edit: deny && isMendable, reason } satisfies CallRights
}

/** All that a person can decide on one call. What gives a sentence says why it could not be stored; null: it was. */
export interface CallDecision {
  readonly run: () => void
  /** Runs a call that asks, with what the person filled in; `answerAgain`: once more, after it was cut off. */
  readonly answer: (answer: AnswerDraft) => void
  readonly answerAgain: (answer: AnswerDraft) => void
  readonly deny: (reason: string) => void
  /** Adds the reason to a denial that went without one. */
  readonly explain: (reason: string) => Promise<string | null>
  /** A reason is being written: the results wait for it until the given function is called. */
  readonly holdForReason: () => () => void
  readonly stop: () => void
  readonly runAgain: () => void
  /** Settles it as it is, so that the model hears of it. */
  readonly tell: () => void
  /** Its changes to files wait: kept or not. */
  readonly answerReview: (answer: 'keep' | 'discard') => void
  /** Whether the pictures of its result go along with it. */
  readonly showPictures: (isShown: boolean) => void
  /** Its server asked something. */
  readonly answerQuestion: (answer: QuestionAnswer) => void
  /** What of the files its card shows, so that Run holds to it. */
  readonly look: (basis: FileBasis) => void
  readonly amend: (call: CallToWrite | null | 'undo') => Promise<string | null>
  readonly release: (release: ReleaseResult['release']) => Promise<string | null>
  /** Its result was kept, and nobody asks any more: it goes out all the same. */
  readonly sendAfterAll: () => Promise<string | null>
  /** Remembers the yes and runs this call, and those of `alsoRun`. */
  readonly remember: (kind: GrantScope['kind'], alsoRun: readonly number[]) => Promise<string | null>
}

/** Answers what is asked about one call, on the screen that it stands on. */
export type AnswerCall = <Kind extends QuestionKind>(kind: Kind, decision: Decisions[Kind]) => Promise<string | null>

/**
 * What is asked is answered; all else is an action of the conversation, for one call. `beforeDecided` comes before what takes
 * the pressed button away: the card keeps the focus.
 */
export function callDecision(
  actions: CallActions,
  answer: AnswerCall,
  { messageId, slot }: { readonly messageId: string; readonly slot: number },
  beforeDecided: () => void,
): CallDecision {
  const decided: AnswerCall = (kind, decision) => {
    beforeDecided()
    return answer(kind, decision)
  }
  return {
    run: () => void decided('run', { kind: 'run' }),
    answer: (given) => void decided('run', { kind: 'run', answer: { ...given } }),
    answerAgain: (given) => actions.run(messageId, [slot], { answers: new Map([[slot, { ...given }]]) }),
    deny: (reason) => void decided('run', { kind: 'deny', reason }),
    answerReview: (kind) => void decided('review', { kind }),
    showPictures: (isShown) => actions.showPictures(messageId, slot, isShown),
    answerQuestion(given) {
      beforeDecided()
      actions.answerQuestion(messageId, slot, given)
    },
    release: (release) => answer('result', release),
    remember: (remember, alsoRun) => answer('run', { kind: 'run', remember, alsoRun }),
    explain: (reason) => actions.explain(messageId, slot, reason),
    holdForReason: () => actions.holdForReason(messageId, slot),
    stop: () => actions.stop(messageId, slot),
    runAgain: () => actions.runAgain(messageId, slot),
    tell: () => actions.notifyModel(messageId, slot),
    look: (basis) => actions.look(messageId, slot, basis),
    amend: (call) => actions.amend(messageId, slot, call),
    sendAfterAll: () => actions.release(messageId, slot, { kind: 'sent', note: '' }),
  }
}

/** The same object for the same call; `beforeDecided` must be the same function, too. */
export function useCallDecision(
  messageId: string,
  { slot, call }: Pick<MessageCall, 'slot' | 'call'>,
  beforeDecided: () => void,
): CallDecision {
  const actions = useCallActions()
  const answer = useAnswer()
  return useMemo(() => {
    const keys = [approvalKey(messageId, { slot, call })]
    return callDecision(actions, (kind, decision) => answer(kind, keys, decision), { messageId, slot }, beforeDecided)
  }, [actions, answer, messageId, slot, call, beforeDecided])
}

/** A state's own glyph and word: colour is never alone. */
export interface CardStatus {
  readonly glyph: IconName
  readonly word: string
  readonly tone: 'plain' | 'wait' | 'ok' | 'bad' | 'warn'
}

type StateWord = Exclude<NameIn<'card-state'>, 'lost' | 'times'>

/** Its word is said when it is read. */
const status = (glyph: IconName, word: StateWord, tone: CardStatus['tone'] = 'plain'): CardStatus => ({
  glyph,
  tone,
  get word() {
    return t(`card-state.${word}`)
  },
})

export const cardStatus: Readonly<Record<CallState['status'], CardStatus>> = {
  pending: status('more', 'writing'),
  not_offered: status('no', 'not-runnable'),
  awaiting_approval: status('wait', 'waits', 'wait'),
  queued: status('more', 'waits-for-turn'),
  executing: status('spinner', 'running'),
  awaiting_result_approval: status('wait', 'result-waits', 'wait'),
  completed: status('ok', 'done', 'ok'),
  error: status('cross', 'failed', 'bad'),
  cancelled: status('cross', 'stopped', 'bad'),
  execution_rejected: status('no', 'denied'),
  skipped: status('no', 'skipped'),
  interrupted: status('cut', 'interrupted', 'warn'),
  result_rejected: status('no', 'result-not-sent'),
  not_found: status('cross', 'no-tool', 'bad'),
  not_runnable: status('cross', 'not-runnable', 'bad'),
}

/** A run whose changes to files wait for the user. */
export const reviewStatus: CardStatus = status('wait', 'changes-wait', 'wait')
/** A run whose server asks the user something. */
export const questionStatus: CardStatus = status('wait', 'server-asks', 'wait')
/** Granted, behind as many as run at once. */
export const turnStatus: CardStatus = cardStatus.queued
/** Stopped with the calls before it, so that nothing of it ran. */
export const cancelledStatus: CardStatus = status('no', 'cancelled')
export const isCancelled = ({ state, record }: Pick<CallEntry, 'state' | 'record'>): boolean =>
  state.status === 'cancelled' && (record ? neverBegan(record.stopped) : state.outcome?.durationMs === 0)
/** Its server wanted a sign-in, or an address opened first: it did not run, and waits for that. */
export const isKeptForUser = (state: CallState): boolean =>
  state.status === 'cancelled' && !state.settled && !state.posted && neededUser(state.outcome)
export const isReviewing = (state: CallState): boolean => state.status === 'executing' && state.review !== undefined

export const isAsked = (state: CallState): boolean => state.status === 'executing' && state.question !== undefined

/** Its code asks for tools that wait for the user. */
export const isAskingForTools = (state: CallState): boolean =>
  state.status === 'executing' && state.innerAsked !== undefined

/** True once the outcome stands: the card is then a "Tool result". */
export function isOutcome(state: CallState): boolean {
  switch (state.status) {
    case 'completed':
    case 'error':
    case 'cancelled':
    case 'execution_rejected':
    case 'skipped':
    case 'awaiting_result_approval':
    case 'result_rejected':
      return true
    case 'interrupted':
      return state.settled
    case 'pending':
    case 'not_offered':
    case 'not_found':
    case 'awaiting_approval':
    case 'queued':
    case 'executing':
    case 'not_runnable':
      return false
  }
}

'use client'

import { createContext, useContext, type RefObject, useMemo, useState } from 'react'
import type { StrategyId, ToolSpec, CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { CallSummary, ToolDefinition } from '@/lib/shared/tools/tool'
import type { ReleaseResult, QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { CallRecord, GrantScope } from '@/lib/shared/conversation/call-record'
import type { CallActions } from '@/lib/client/chats/actions'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { Decisions, QuestionKind } from '@/lib/client/calls/approval/approval-ui'
import type { FileBasis } from '@/lib/client/calls/call-jobs'
import type { AnswerDraft } from '@/lib/shared/tools/ask-user/answer'
import type { IconName } from '@/components/ui/controls/icon'
import { t, type NameIn } from '@/lib/i18n/t'
import { neededUser, neverBegan } from '@/lib/shared/conversation/stopped-outcome'
import { type CallState, isUnexplained, type LiveCall } from '@/lib/shared/calls/call-state'
import type { CallMark } from '@/lib/shared/origin/branch-origin'

/** The open panel in a card's foot: the reason for a denial, or the editor. */
export type CardPanel = 'reason' | 'edit' | null

/** The key actions of a waiting result. */
export interface ResultApprovalKeys {
  readonly send: () => void
  readonly keep: () => void
}

/** Lets a key check whether a card's content was seen. */
export interface EvidenceKeys {
  /** True if nothing is collapsed and all of it was in view; otherwise scrolls to the next part, and says so. */
  readonly passes: () => boolean
  /** Whether something in it is collapsed. Changes nothing. */
  readonly isFolded: () => boolean
  /** Opens what is collapsed, and scrolls the card into view. */
  readonly open: () => void
}

/** Refs shared by the parts of a card. */
export interface CardRefs {
  readonly card: RefObject<HTMLDivElement | null>
  /** The key actions of a waiting result; set while its gate is mounted. */
  readonly resultKeys: RefObject<ResultApprovalKeys | null>
  /** Checked before a key runs the call; set while the call waits. */
  readonly look: RefObject<EvidenceKeys | null>
  /** Submits the form of a call that asks, if it is complete; set while it waits. */
  readonly submit: RefObject<(() => void) | null>
}

/** How many lines of a file were added and removed. */
export interface ChangedLines {
  readonly added: number
  readonly removed: number
}

/** A live call with everything on its card. */
export interface CallEntry extends MessageCall {
  readonly state: CallState
  readonly record: CallRecord | undefined
  readonly live: LiveCall | undefined
  /** How often this exact call was requested since the user's last message; 1 at first. */
  readonly repeats: number
  /** Its origin; null if it needs no note, undefined if unknown yet. */
  readonly origin: CallMark | null | undefined
  /** It can't run: the reply's limit of calls is reached. */
  readonly pastLimit: boolean
  /** More calls wait than may still run, and this one is beyond the limit; null if it may run. */
  readonly overLimit: OverLimit | null
  /** The model got this call as unfinished; `late`: a later message sent it the outcome, too. */
  readonly sentAsUnfinished: { readonly late: boolean } | null
  /** What blocks this call, as a sentence. */
  readonly problem: string | null
}

export interface OverLimit {
  /** The most calls of one reply that may run in this chat. */
  readonly limit: number
  /** Earlier calls that would use up what is left. */
  readonly ahead: number
}

/** One call as all parts of its card see it: the request, its state, and the actions on it. */
export interface CallScope {
  readonly conversationId: string
  readonly messageId: string
  /** The strategy with which the reply was parsed. */
  readonly strategy: StrategyId
  /** The tools of the current settings, for a call that is edited. */
  readonly tools: readonly ToolSpec[]
  readonly timeoutMs: number
  /** As the model wrote it. */
  readonly raw: string
  readonly entry: CallEntry
  readonly tool: ToolDefinition | undefined
  /** Based on the arguments alone. */
  readonly summary: CallSummary | null
  /** Keys and attention are on this card: it shows the key hints. */
  readonly current: boolean
  /** Its button is primary: the card is current, and no batch button is primary. */
  readonly filled: boolean
  /** No other call of the reply is open, so an unrunnable call may be reported by itself. */
  readonly canReport: boolean
  /** The user sent another message after the reply. */
  readonly overtaken: boolean
  readonly rights: CallRights
  readonly decide: CallDecision
  readonly isRunTried: boolean
  /** The lines changed in its one file, once compared; null if unknown or if it changed anything else. */
  readonly lines: ChangedLines | null
  /** A stable function. */
  readonly reportLines: (lines: ChangedLines) => void
  /** The reader opened the finished card by its head. */
  readonly isUnfolded: boolean
  readonly panel: CardPanel
  /** Closing it returns the focus to the card. */
  readonly setPanel: (panel: CardPanel) => void
  readonly refs: CardRefs
}

/** The user's options for a call that can't run, or does not. */
export interface CallRights {
  /** A denial still counts. */
  readonly deny: boolean
  /** Its name or its arguments can be fixed by hand. */
  readonly edit: boolean
  /** It was denied without a reason, and the model does not know. */
  readonly reason: boolean
}

const CallScopeContext = createContext<CallScope | null>(null)

export const CallScopeProvider = CallScopeContext

export function useCall(): CallScope {
  const scope = useContext(CallScopeContext)
  if (!scope) throw new Error('This part of a card must stand inside a CallScopeProvider.')
  return scope
}

/** A wrong name or wrong arguments can be fixed by hand; a switched-off tool or a repeat can't. */
export function rightsOf({ call, state, record }: Pick<CallEntry, 'call' | 'state' | 'record'>, isLastReply: boolean) {
  const deny = isLastReply && (state.status === 'not_found' || state.status === 'not_runnable') && !state.posted
  const isMendable = call.problem?.code === 'unknown-tool' || call.problem?.code === 'invalid-arguments'
  const reason = state.status === 'execution_rejected' && !state.posted && isUnexplained(record)
  return { deny, edit: deny && isMendable, reason } satisfies CallRights
}

/**
 * Every decision that a user can make on one call. Those that resolve to a sentence give the error; null on success.
 */
export interface CallDecision {
  readonly run: () => void
  /** Runs a call that asks with the user's input; `answerAgain`: again, after an interruption. */
  readonly answer: (answer: AnswerDraft) => void
  readonly answerAgain: (answer: AnswerDraft) => void
  readonly deny: (reason: string) => void
  /** Adds a reason to a denial that was made without one. */
  readonly explain: (reason: string) => Promise<string | null>
  /** A reason is being written: the results wait for it until the returned function is called. */
  readonly holdForReason: () => () => void
  readonly stop: () => void
  readonly runAgain: () => void
  /** Settles it as it is, so that the model is informed. */
  readonly tell: () => void
  /** Keeps or discards its waiting changes to files. */
  readonly answerReview: (answer: 'keep' | 'discard') => void
  /** Whether its result's pictures are sent. */
  readonly showPictures: (isShown: boolean) => void
  /** Answers its server's question. */
  readonly answerQuestion: (answer: QuestionAnswer) => void
  /** The files' state that its card shows; Run requires it. */
  readonly look: (basis: FileBasis) => void
  readonly amend: (call: CallToWrite | null | 'undo') => Promise<string | null>
  readonly release: (release: ReleaseResult['release']) => Promise<string | null>
  /** Its result was withheld: sends it after all. */
  readonly sendAfterAll: () => Promise<string | null>
  /** Remembers the approval and runs this call, and those of `alsoRun`. */
  readonly remember: (kind: GrantScope['kind'], alsoRun: readonly number[]) => Promise<string | null>
}

/** Answers the open question about one call, wherever it is shown. */
export type AnswerCall = <Kind extends QuestionKind>(kind: Kind, decision: Decisions[Kind]) => Promise<string | null>

/**
 * Answers the open question; everything else is an action of the conversation on one call. `beforeDecided` is called
 * before the pressed button disappears, so that the card keeps the focus.
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

/** Until the origin of a call is known, its card may change, and nothing runs it. */
export const isBeingChecked = ({ origin }: Pick<CallEntry, 'origin'>): boolean => origin === undefined

/** Run takes no press until the origin is known; the card then says so. */
export interface HeldRun {
  readonly decide: CallDecision
  /** Run was pressed before the origin was known. */
  readonly isRunTried: boolean
}

/** The same decisions; a Run before the origin is known is only remembered as tried. */
export function useHeldRun(decide: CallDecision, entry: Pick<CallEntry, 'origin'>): HeldRun {
  const [isRunTried, setTried] = useState(false)
  const held = isBeingChecked(entry)
  return useMemo(
    () => ({ decide: held ? { ...decide, run: () => setTried(true) } : decide, isRunTried }),
    [decide, held, isRunTried],
  )
}

/** Each state has its own icon and word: color is never the only difference. */
export interface CardStatus {
  readonly glyph: IconName
  readonly word: string
  readonly tone: 'plain' | 'wait' | 'ok' | 'bad' | 'warn'
}

type StateWord = Exclude<NameIn<'card-state'>, 'lost' | 'times'>

/** The word is translated when it is read. */
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
/** Approved, but beyond the concurrency limit. */
export const turnStatus: CardStatus = cardStatus.queued
/** Cancelled because an earlier call was stopped: no part of it ran. */
export const cancelledStatus: CardStatus = status('no', 'cancelled')
export const isCancelled = ({ state, record }: Pick<CallEntry, 'state' | 'record'>): boolean =>
  state.status === 'cancelled' && (record ? neverBegan(record.stopped) : state.outcome?.durationMs === 0)
/** Its server required a sign-in, or an address to be opened first: it did not run, and waits for that. */
export const isKeptForUser = (state: CallState): boolean =>
  state.status === 'cancelled' && !state.settled && !state.posted && neededUser(state.outcome)
export const isReviewing = (state: CallState): boolean => state.status === 'executing' && state.review !== undefined

export const isAsked = (state: CallState): boolean => state.status === 'executing' && state.question !== undefined

/** The code waits for the user to decide on tools. */
export const isAskingForTools = (state: CallState): boolean =>
  state.status === 'executing' && state.innerAsked !== undefined

/** True once the outcome is final: the card is then a "Tool result". */
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

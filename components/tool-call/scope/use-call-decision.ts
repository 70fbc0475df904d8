'use client'

import { useMemo } from 'react'
import { useAnswer } from '@/components/context/answer-context'
import { useCallActions } from '@/components/context/chat-context'
import type { ReleaseResult } from '@/lib/shared/conversation/wire/api-types'
import type { GrantScope } from '@/lib/shared/conversation/conversation'
import type { CallActions } from '@/lib/client/chats/actions'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { Decisions, QuestionKind } from '@/lib/client/calls/approval-ui'
import type { FileBasis } from '@/lib/client/calls/file-basis'
import { approvalKey } from '@/lib/client/calls/inline-approval'
import type { AnswerDraft } from '@/lib/shared/tools/ask-user/answer'

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

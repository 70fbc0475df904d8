'use client'

import { useMemo } from 'react'
import { useCallActions } from '@/components/context/chat-context'
import type { ReleaseResult } from '@/lib/conversation/api-types'
import type { GrantScope } from '@/lib/conversation/conversation'
import type { CallActions } from '@/lib/client/actions'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import type { FileBasis } from '@/lib/tool-calls/file-basis'

/** All that a person can decide on one call. What gives a sentence says why it could not be stored; null: it was. */
export interface CallDecision {
  readonly run: () => void
  readonly deny: (reason: string) => void
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
  /** Remembers the yes and runs this call, and those of `alsoRun`. */
  readonly remember: (kind: GrantScope['kind'], alsoRun: readonly number[]) => Promise<string | null>
}

/**
 * The actions of the conversation, for one call. `beforeDecided` comes before what takes the pressed button away: the card
 * keeps the focus.
 */
export function callDecision(
  actions: CallActions,
  messageId: string,
  slot: number,
  beforeDecided: () => void,
): CallDecision {
  const decided = (act: () => void) => {
    beforeDecided()
    act()
  }
  return {
    run: () => decided(() => actions.run(messageId, [slot])),
    deny: (reason) => decided(() => actions.deny(messageId, [slot], reason)),
    answerReview: (answer) => decided(() => actions.answerReview(messageId, slot, answer)),
    stop: () => actions.stop(messageId, slot),
    runAgain: () => actions.runAgain(messageId, slot),
    tell: () => actions.tellModel(messageId, slot),
    look: (basis) => actions.look(messageId, slot, basis),
    amend: (call) => actions.amend(messageId, slot, call),
    release: (release) => actions.release(messageId, slot, release),
    remember: (kind, alsoRun) => actions.remember(messageId, slot, kind, alsoRun),
  }
}

/** The same object for the same call; `beforeDecided` must be the same function, too. */
export function useCallDecision(messageId: string, slot: number, beforeDecided: () => void): CallDecision {
  const actions = useCallActions()
  return useMemo(() => callDecision(actions, messageId, slot, beforeDecided), [actions, messageId, slot, beforeDecided])
}

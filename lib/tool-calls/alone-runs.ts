import { callKey, type CallKey } from '@/lib/client/state'
import type { CallActions } from '@/lib/client/actions'
import type { DecidedBy } from '@/lib/conversation/conversation'
import type { ToolFacts } from '@/lib/calls/approval-policy'
import { roundsInQuestion } from '@/lib/calls/chain-limits'
import type { MessageCall } from '@/lib/calls/message-calls'
import type { CallControllerPorts } from './call-ports'
import { isSameCall } from './decide-call'
import { repeatsOn, waitingOn, type Desk } from './desk-view'
import { runsAloneBy, waitsForClick, type AloneFacts } from './runs-alone'

export interface AloneRunsPorts {
  readonly readCalls: CallControllerPorts['readCalls']
  readonly toolOf: (name: string) => ToolFacts | undefined
  /** This page followed the reply while it was written (`watchReplies`). */
  readonly isWatched: (replyId: string) => boolean
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly run: CallActions['run']
  /** As it stands now; null also when all is over. */
  readonly deskNow: () => Desk | null
  /** It was told what may run. */
  readonly onTold: () => void
}

export interface AloneRuns {
  /** Runs what a rule or a grant allows of these calls; each is looked at once, whatever is allowed later. */
  readonly consider: (desk: Desk, waiting: readonly MessageCall[]) => void
  /** What may run is being told: nobody need be bothered yet. */
  readonly isBusy: () => boolean
}

/** What may run by itself: only in a reply that finished before the eyes of this page, each call once. */
export function createAloneRuns(ports: AloneRunsPorts): AloneRuns {
  const considered = new Set<CallKey>()
  const ranAlone = new Set<CallKey>()
  let busy = false

  const factsOf = (desk: Desk): AloneFacts => ({
    ...desk,
    toolOf: ports.toolOf,
    now: ports.now(),
    repeats: (slot) => repeatsOn(desk, slot, ports.readCalls),
  })

  function mayConsider(desk: Desk, call: MessageCall): boolean {
    const { view, config, reply } = desk
    const key = callKey(reply.id, call.slot)
    if (!ports.isWatched(reply.id) || ranAlone.has(key) || considered.has(key)) return false
    // The page says so, and asks whether to go on (`use-held-rounds.ts`).
    if (roundsInQuestion(view.path, config) > 0) return false
    return !waitsForClick(call, factsOf(desk))
  }

  async function runAlone(desk: Desk, candidates: readonly MessageCall[]): Promise<void> {
    const { reply } = desk
    const plan = new Map<number, DecidedBy>()
    for (const call of candidates) {
      const by = await runsAloneBy(call, factsOf(desk))
      considered.add(callKey(reply.id, call.slot))
      if (by) plan.set(call.slot, by)
    }
    const now = ports.deskNow()
    if (now?.reply.id !== reply.id || now.config !== desk.config) return
    const slots = candidates
      .filter((call) => plan.has(call.slot))
      .filter((call) => waitingOn(now).some((other) => other.slot === call.slot && isSameCall(other, call)))
      .map(({ slot }) => slot)
    for (const slot of slots) ranAlone.add(callKey(reply.id, slot))
    if (slots.length > 0) ports.run(reply.id, slots, { by: plan })
  }

  return {
    isBusy: () => busy,
    consider(desk, waiting) {
      const candidates = busy ? [] : waiting.filter((call) => mayConsider(desk, call))
      if (candidates.length === 0) return
      busy = true
      void runAlone(desk, candidates)
        .catch((error: unknown) => console.error('What may run by itself could not be told.', error))
        .finally(() => {
          busy = false
          ports.onTold()
        })
    },
  }
}

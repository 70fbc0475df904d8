import type { CallState } from '@/lib/shared/calls/call-state'
import type { CallRights } from '../scope/call-scope'
import type { CardKey } from '../scope/card-keys'
import { isReviewing } from '../scope/card-status'

/** What a call waits for. `nothing`: it runs, it is over, or it can't run. */
export type CallWait = 'run' | 'changes' | 'result' | 'nothing'

export function waitOf(state: CallState): CallWait {
  if (isReviewing(state)) return 'changes'
  if (state.status === 'awaiting_approval') return 'run'
  return state.status === 'awaiting_result_approval' ? 'result' : 'nothing'
}

export type KeyAct =
  | 'run'
  | 'deny'
  | 'edit'
  | 'reason'
  | 'keep-changes'
  | 'discard-changes'
  | 'send-result'
  | 'keep-result'
  | 'fold'
  | 'previous'
  | 'next'
  | 'earlier'
  | 'later'

/** What a key does to a call as it stands; null: nothing, so that the key is left to others. */
export function keyAct(key: CardKey, wait: CallWait, rights: CallRights): KeyAct | null {
  switch (key) {
    case 'run':
      return runActs[wait]
    case 'deny':
      return denyActs[wait] ?? (rights.deny ? 'deny' : null)
    case 'edit':
      return wait === 'run' || rights.edit ? 'edit' : null
    case 'reason':
      return wait === 'run' || rights.deny || rights.reason ? 'reason' : null
    case 'earlier':
    case 'later':
      return wait === 'run' ? key : null
    case 'fold':
    case 'previous':
    case 'next':
      return key
  }
}

const runActs = { run: 'run', changes: 'keep-changes', result: 'send-result', nothing: null } as const
const denyActs = { run: 'deny', changes: 'discard-changes', result: 'keep-result', nothing: null } as const

import type { AssistantMessage, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { DecidedBy } from '@/lib/shared/conversation/call-record'
import type { ConversationState } from '@/lib/client/state/state'
import {
  coveringGrant,
  isForReply,
  mayRunAutomatically,
  runsOnCopy,
  type ToolFacts,
} from '@/lib/shared/calls/approval-policy'
import type { CopyBegin } from '@/lib/client/chats/actions'
import { isCopyChosen, openCopy } from '@/lib/shared/calls/copy'
import { effectsGrantFor } from '@/lib/shared/calls/effects'
import { argumentsHash } from '@/lib/shared/calls/call-hash'
import { isLoud, type CallMarks } from '@/lib/shared/origin/branch-origin'
import { onlyByClick } from '@/lib/shared/calls/click-reasons'
import type { MessageCall } from '@/lib/shared/calls/message-calls'

/** The stored facts that decide whether a call of the last reply runs without a click. */
export interface AutoRunFacts {
  readonly view: Pick<ConversationState, 'path' | 'calls' | 'others' | 'grants'>
  readonly config: ToolCallConfig
  readonly reply: AssistantMessage
  readonly toolOf: (name: string) => ToolFacts | undefined
  /** Epoch milliseconds. */
  readonly now: number
  /** How often the same call was requested since the user's last message. */
  readonly repeats: (slot: number) => number
  /** The origins of the calls; read only once a rule or a grant covers a call. If it rejects, the call waits. */
  readonly marks: () => Promise<CallMarks>
}

/** True if no rule and no grant may run it: the user edited it, or it needs a review. */
export const waitsForClick = (call: MessageCall, { repeats }: Pick<AutoRunFacts, 'repeats'>): boolean =>
  call.changed || call.promoted || onlyByClick(call, repeats(call.slot))

/** A call of this tool failed in this branch. */
const failedBefore = ({ path, calls, others }: AutoRunFacts['view'], name: string): boolean => {
  const failed = [...others.failed, ...[...calls.values()].filter(({ outcome }) => outcome?.status === 'error')]
  const branch = new Set(path.map(({ id }) => id))
  return failed.some((row) => row.name === name && branch.has(row.messageId))
}

/** The rule or the grant that runs a call without a click, ignoring the round limit; null: it waits for a click. */
export async function autoRunReason(target: MessageCall, facts: AutoRunFacts): Promise<DecidedBy | null> {
  const by = await coveredBy(target, facts)
  return by === null || (await isUnasked(target, facts)) ? null : by
}

/**
 * How the call begins a copy and runs there: the user chose it with the message, or a grant begins it; null: it does
 * not. Called only for calls that nothing else runs.
 */
export async function beginsCopyBy(
  target: MessageCall,
  facts: AutoRunFacts,
): Promise<Pick<CopyBegin, 'under' | 'chosen'> | null> {
  const { view, config, reply, toolOf, now } = facts
  const tool = toolOf(target.call.name)
  if (!tool || !runsOnCopy(tool) || config.requireConfirmation || waitsForClick(target, facts)) return null
  // A copy that the user chose is decided by the user, whatever a grant would keep.
  const chosen = isCopyChosen(view.grants, view.path)
  const grant = chosen || openCopy(view.grants) !== null ? null : effectsGrantFor(view.grants, reply, now)
  if ((!chosen && grant === null) || (await isUnasked(target, facts))) return null
  return grant === null ? { chosen: true } : { under: grant.id }
}

/** A text asked for it and the user did not, or that is unknown. */
async function isUnasked({ slot }: MessageCall, { marks }: AutoRunFacts): Promise<boolean> {
  const known = await marks().catch(() => null)
  return known === null || isLoud(known.get(slot))
}

async function coveredBy(target: MessageCall, facts: AutoRunFacts): Promise<DecidedBy | null> {
  const { view, config, reply, toolOf, now } = facts
  const { call } = target
  const tool = toolOf(call.name)
  if (!tool || waitsForClick(target, facts)) return null
  // Switching to `auto` and new grants apply to later calls only, not to those already asked about.
  if (mayRunAutomatically(tool, config, failedBefore(view, call.name))) return { kind: 'auto' }
  if (config.requireConfirmation) return null
  const grants = view.grants.filter((grant) => isForReply(grant, reply))
  if (grants.length === 0) return null
  const grant = coveringGrant(grants, tool, call, await argumentsHash(call.name, call.arguments), now)
  return grant ? { kind: 'grant', grantId: grant.id } : null
}

'use client'

import { createContext, useContext, type RefObject } from 'react'
import { isUnexplained } from '@/lib/shared/calls/explain-denial'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { CallSummary, ToolDefinition } from '@/lib/shared/tools/tool'
import type { CallEntry } from './use-message-calls'
import type { CallDecision } from './use-call-decision'

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

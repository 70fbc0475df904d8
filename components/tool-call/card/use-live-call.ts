'use client'

import { useCallSummary } from '../scope/use-call-summary'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { isOfLastTurn } from '@/lib/conversation/has-words'
import {
  rightsOf,
  type CallScope,
  type ChangedLines,
  type CardPanel,
  type GateKeys,
  type EvidenceKeys,
} from '../scope/call-scope'
import { useCallDecision } from '../scope/use-call-decision'
import { useCallFocus, type CallFocus } from './use-call-focus'
import { useFold } from './use-fold'
import { useReplyScope } from '../scope/reply-scope'
import type { CallEntry } from '../scope/use-message-calls'

export interface LiveCallState {
  readonly scope: CallScope
  readonly fold: ReturnType<typeof useFold>
  /** Goes on the card's element, with the listeners. */
  readonly card: CallFocus['card']
  readonly listeners: CallFocus['listeners']
}

/** One call of a reply with all that its card does: no look. */
export function useLiveCall(entry: CallEntry, raw: string, takesFocus: boolean): LiveCallState {
  const { message, tools, view } = useReplyScope()
  const { slot, call, state } = entry
  const gate = useRef<GateKeys>(null)
  const look = useRef<EvidenceKeys>(null)
  const submit = useRef<(() => void) | null>(null)
  const [lines, tellLines] = useState<ChangedLines | null>(null)
  const [panel, setPanel] = useState<CardPanel>(null)
  const tool = useTools().get(call.name)
  const isOfTurn = useConversation((shown) => isOfLastTurn(shown.path, message.id))
  const [began] = useState(isOfTurn)
  const fold = useFold(state, (began || isOfTurn) && (tool?.showsFirst === 'change' || tool?.asksUser === true))
  const { card, keep, listeners } = useCallFocus(takesFocus, (kind, here) => {
    view.attend(kind, slot, here)
    fold.setInside(kind, here)
  })
  const { watch } = view.batch
  useEffect(() => watch(slot, () => look.current), [watch, slot])
  const beforeDecided = useCallback(() => {
    keep()
    setPanel(null)
  }, [keep])
  const decide = useCallDecision(message.id, entry, beforeDecided)
  const summary = useCallSummary(tool, call.arguments)
  const current = view.currentSlot === slot
  const scope: CallScope = {
    conversationId: message.conversationId,
    messageId: message.id,
    strategy: message.strategy,
    tools,
    timeoutMs: view.timeoutMs,
    raw,
    entry,
    tool,
    summary,
    current,
    filled: current && !view.batchLeads,
    canTell: view.canTell,
    overtaken: view.overtaken,
    rights: rightsOf(entry, view.canAsk),
    decide,
    lines,
    tellLines,
    panel,
    setPanel: (next) => {
      setPanel(next)
      if (next === null) keep()
    },
    refs: { card, gate, look, submit },
  }
  return { scope, card, fold, listeners }
}

'use client'

import { useCallSummary } from '../words/tool-name'
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useCallActions, useAnswer, useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { isOfLastTurn } from '@/lib/shared/conversation/outline'
import {
  rightsOf,
  type CallScope,
  type ChangedLines,
  type CardPanel,
  type ResultApprovalKeys,
  type EvidenceKeys,
  useHeldRun,
  callDecision,
  type CallDecision,
  type CallEntry,
} from '../scope/call-scope'
import { useCallFocus, type CallFocus } from './use-call-keys'
import { OutlinedCards, useReplyScope } from '../scope/reply-scope'
import type { CallState } from '@/lib/shared/calls/call-state'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import { isPicture } from '../evidence/result-view'
import { approvalKey } from '@/lib/client/calls/approval/inline-approval'
import type { MessageCall } from '@/lib/shared/calls/message-calls'

/**
 * Whether a card is open. A finished call collapses to its head. One that ran while the reader watched waits with that
 * until pointer and focus have left the card. A card with a picture stays open, and so does one that printed something
 * or asked the user (`staysInTurn`) during its turn. A change collapses, because it was seen before the run. A press on
 * the head decides permanently.
 */
function useFold(state: CallState, staysInTurn: boolean) {
  const [inside, setBoth] = useState({ focus: false, hover: false })
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [sawItRun, setSawItRun] = useState(false)
  const running = state.status === 'executing' && state.here
  if (running && !sawItRun) setSawItRun(true)
  const pressing = usePressing(sawItRun)
  const attended = inside.focus || inside.hover || pressing
  if (sawItRun && isFoldable(state) && !attended) setSawItRun(false)

  const foldable = isFoldable(state)
  const staysOpen = state.status !== 'completed' || sawItRun || showsSomething(state) || staysInTurn
  const open = !foldable || (chosen ?? staysOpen)
  return {
    open,
    foldable,
    isUnfolded: chosen === true,
    toggle: () => setChosen(!open),
    unfold: useCallback(() => setChosen(true), []),
    setInside: (kind: 'focus' | 'hover', here: boolean) => setBoth((known) => ({ ...known, [kind]: here })),
  }
}

/**
 * True from a press to the end of its click, anywhere on the page. A press moves the focus out of the card above; if
 * that card collapsed immediately, the button would move before the click.
 */
function usePressing(watching: boolean): boolean {
  const [pressing, setPressing] = useState(false)
  useEffect(() => {
    if (!watching) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const press = () => {
      clearTimeout(timer)
      setPressing(true)
    }
    // The click follows the pointer release in the same task.
    const release = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setPressing(false))
    }
    document.addEventListener('pointerdown', press, true)
    document.addEventListener('pointerup', release, true)
    document.addEventListener('pointercancel', release, true)
    return () => {
      document.removeEventListener('pointerdown', press, true)
      document.removeEventListener('pointerup', release, true)
      document.removeEventListener('pointercancel', release, true)
      clearTimeout(timer)
      setPressing(false)
    }
  }, [watching])
  return pressing
}

const showsSomething = (state: CallState): boolean =>
  state.status === 'completed' && state.outcome.displays.some(isPicture)

/** Printed output is what code was run for. */
const hasPrinted = (state: CallState, tool: ToolDefinition | undefined): boolean =>
  tool?.card.codeParameter !== undefined && state.status === 'completed' && state.outcome.console.length > 0

function isFoldable(state: CallState): boolean {
  switch (state.status) {
    case 'completed':
    case 'error':
    case 'execution_rejected':
    case 'skipped':
      return true
    case 'cancelled':
    case 'interrupted':
      return state.settled
    case 'result_rejected':
      return state.posted
    default:
      return false
  }
}

export interface LiveCallState {
  readonly scope: CallScope
  readonly fold: ReturnType<typeof useFold>
  /** The ref for the card's element, with the listeners. */
  readonly card: CallFocus['card']
  readonly listeners: CallFocus['listeners']
}

/** One call of a reply with all its card's behavior, without its appearance. */
export function useLiveCall(entry: CallEntry, raw: string, takesFocus: boolean): LiveCallState {
  const { message, tools, view } = useReplyScope()
  const isOutlined = useContext(OutlinedCards)
  const { slot, call, state } = entry
  const resultKeys = useRef<ResultApprovalKeys>(null)
  const look = useRef<EvidenceKeys>(null)
  const submit = useRef<(() => void) | null>(null)
  const [lines, reportLines] = useState<ChangedLines | null>(null)
  const [panel, setPanel] = useState<CardPanel>(null)
  const tool = useTools().get(call.name)
  const isOfTurn = useConversation((shown) => isOfLastTurn(shown.path, message.id))
  const [began] = useState(isOfTurn)
  const fold = useFold(state, (began || isOfTurn) && (tool?.policy.asksUser === true || hasPrinted(state, tool)))
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
  const held = useHeldRun(useCallDecision(message.id, entry, beforeDecided), entry)
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
    filled: current && !view.batchLeads && !isOutlined,
    canReport: view.canReport,
    overtaken: view.overtaken,
    rights: rightsOf(entry, view.canAsk),
    ...held,
    lines,
    reportLines,
    isUnfolded: fold.isUnfolded,
    panel,
    setPanel: (next) => {
      setPanel(next)
      if (next === null) keep()
    },
    refs: { card, resultKeys, look, submit },
  }
  return { scope, card, fold, listeners }
}

/** The same object for the same call; `beforeDecided` must be stable, too. */
function useCallDecision(
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

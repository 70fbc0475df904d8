'use client'

import { useSyncExternalStore, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Guarded } from '@/components/ui/page/page-failed'
import type { OpenQuestion, QuestionList } from '@/lib/client/calls/approval/approval-ui'
import { Dialog } from '@/components/ui/popups/dialog'
import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { useCallSummary } from '../tool-call/words/tool-name'
import { useTools } from '@/components/context/tools-context'
import { Button } from '@/components/ui/controls/button'
import { Kbd } from '@/components/ui/controls/kbd'
import { isHere } from '@/lib/shared/conversation/message-tree'
import { lastCalls } from '@/lib/client/state/turn'
import { callKey, type ConversationState } from '@/lib/client/state/state'
import type { CallState } from '@/lib/shared/calls/call-state'
import { usesRun } from '@/lib/shared/calls/message-calls'
import { defaultStrategy } from '@/lib/protocols/types/tool-context-def'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import AskBody from '../tool-call/ask/ask-body'
import {
  CallScopeProvider,
  type CallScope,
  type CardPanel,
  type ResultApprovalKeys,
  type EvidenceKeys,
  cardStatus,
  isOutcome,
  callDecision,
  useHeldRun,
  type AnswerCall,
} from '../tool-call/scope/call-scope'
import { CardHead } from '../tool-call/card/card-head'
import { t } from '@/lib/i18n/t'
import { useCallKeys } from '../tool-call/card/use-call-keys'
import { useOrigins } from '../tool-call/scope/use-origins'
import { useGuardedMoves } from '../tool-call/scope/guard-moves'
import { useToolConfig } from '../tool-call/scope/use-tool-config'
import ResultApproval from '../tool-call/result-approval/result-approval'
import { RanWithoutClick } from '../tool-call/settled/ran-alone'
import { WaitingBody } from '../tool-call/waiting/waiting-body'

export interface QuestionCardProps {
  readonly question: OpenQuestion
  /** Questions that wait behind this one. */
  readonly more: number
}

/** One question with its card's content, and a button to postpone it. */
export function QuestionCard({ question, more }: QuestionCardProps) {
  const scope = useQuestionScope(question)
  const { call, state } = scope.entry
  const { card } = scope.refs
  useGuardedMoves()
  // Focuses the whole question and not Run, so that a key meant for the composer does not decide anything.
  useEffect(() => card.current?.focus({ preventScroll: true }), [card])
  const onKeyDown = useCallKeys(scope, null)
  const label = t(isOutcome(state) ? 'card-frame.result' : 'card-frame.call', { tool: call.name })
  return (
    <CallScopeProvider value={scope}>
      <div ref={card} role="group" aria-label={labelOf(label)} tabIndex={-1} {...{ onKeyDown }}>
        <CardHead
          call={call}
          summary={null}
          status={cardStatus[state.status]}
          figures={more > 0 ? ` · ${t('card-frame.more-after', { count: more })}` : ''}
        />
        {question.kind !== 'run' ? (
          <ResultQuestion request={question.request} />
        ) : scope.tool?.policy.asksUser ? (
          <AskBody />
        ) : (
          <WaitingBody />
        )}
        <div data-decides="" className="flex items-center gap-2 border-t border-line px-3.5 py-2">
          <Button look="quiet" onClick={() => question.answer({ kind: 'later' })}>
            {t('card-frame.later')} <Kbd keys="escape" />
          </Button>
          <span className="text-sm text-muted">{t('card-frame.later-then')}</span>
        </div>
      </div>
    </CallScopeProvider>
  )
}

function ResultQuestion({ request }: { request: Extract<OpenQuestion, { kind: 'result' }>['request'] }) {
  const { messageId, call: target, outcome, decidedBy, problem } = request
  return (
    <>
      <RanWithoutClick record={{ messageId, slot: target.slot, name: target.call.name, by: decidedBy }} />
      <ResultApproval outcome={outcome} problem={problem} />
    </>
  )
}

/** Presents a question as its call: the card's parts show it, and a decision on the call answers the question. */
function useQuestionScope(question: OpenQuestion): CallScope {
  const { conversationId, messageId, call: target } = question.request
  const { slot, call } = target
  const actions = useCallActions()
  const message = useConversation((view) => view.tree.get(messageId))
  const config = useToolConfig()
  const strategy = useConversation((view) => view.conversation?.settings.strategy)
  const problem = useConversation((view) => view.live.get(callKey(messageId, slot))?.problem ?? null)
  const tools = useTools()
  const marks = useOrigins(messageId)
  const left = useConversation((view) => runsLeftBefore(view, tools, slot))
  const card = useRef<HTMLDivElement>(null)
  const resultKeys = useRef<ResultApprovalKeys>(null)
  const look = useRef<EvidenceKeys>(null)
  const submit = useRef<(() => void) | null>(null)
  const [panel, setPanel] = useState<CardPanel>(null)
  const tool = tools.get(call.name)
  const summary = useCallSummary(tool, call.arguments)
  const decide = useMemo(
    () => callDecision(actions, answerOf(question), { messageId, slot }, () => {}),
    [question, actions, messageId, slot],
  )
  const reply = isHere(message) && message.role === 'assistant' ? message : undefined
  const origin = marks === null ? undefined : (marks.get(slot) ?? null)
  const held = useHeldRun(decide, { origin })
  return {
    conversationId,
    messageId,
    strategy: reply?.strategy ?? strategy ?? defaultStrategy,
    tools: discoverTools(tools, config),
    timeoutMs: config.timeoutMs,
    raw: reply?.text.slice(call.start, call.end) ?? '',
    entry: {
      ...target,
      state: stateOf(question),
      record: undefined,
      live: undefined,
      repeats: question.kind === 'run' ? question.request.repeats : 1,
      origin,
      pastLimit: false,
      overLimit: left === null ? null : { limit: config.maxCallsPerReply, ahead: left },
      sentAsUnfinished: null,
      problem: question.request.problem ?? problem,
    },
    tool,
    summary,
    current: true,
    filled: true,
    canReport: false,
    overtaken: false,
    rights: { deny: false, edit: false, reason: false },
    ...held,
    lines: null,
    reportLines: () => {},
    isUnfolded: false,
    panel,
    setPanel: useCallback((next) => {
      setPanel(next)
      if (next === null) card.current?.focus({ preventScroll: true })
    }, []),
    refs: { card, resultKeys, look, submit },
  }
}

/** How many calls of the last reply may still run, if earlier waiting calls use them up; otherwise null. */
function runsLeftBefore(view: ConversationState, tools: ToolSet, slot: number): number | null {
  const last = lastCalls(view, tools)
  const maxCalls = view.conversation?.settings.tools.maxCallsPerReply
  if (!last || maxCalls === undefined) return null
  const left = Math.max(0, maxCalls - last.records.filter(usesRun).length)
  return last.waiting.findIndex((one) => one.slot === slot) >= left ? left : null
}

const stateOf = (question: OpenQuestion): CallState =>
  question.kind === 'run'
    ? { status: 'awaiting_approval' }
    : { status: 'awaiting_result_approval', outcome: question.request.outcome, attempt: 1 }

/** A question's card decides only that question. An edited call is a new question, which replaces this one. */
function answerOf(question: OpenQuestion): AnswerCall {
  return (kind, decision) => {
    if (kind === question.kind) (question.answer as (given: typeof decision) => void)(decision)
    // If it failed, that is the next question.
    return Promise.resolve(null)
  }
}

/**
 * Shows one approval request at a time, with the contents of its card. Esc closes the dialog; the call keeps waiting in
 * its card.
 */
function ApprovalDialog({ question, more }: QuestionCardProps) {
  const { name } = question.request.call.call
  const asksUser = useTools().get(name)?.policy.asksUser === true
  const label = question.kind !== 'run' ? t('may.send', { name }) : asksUser ? t('asks.dialog') : t('may.run', { name })
  return (
    <Dialog look="ask" label={label} onClose={() => question.answer({ kind: 'later' })}>
      <QuestionCard key={question.id} question={question} more={more} />
    </Dialog>
  )
}

export interface DialogQuestionsProps {
  readonly questions: QuestionList
  /** Whether the settings ask in the dialog. If not, open requests stay in the list. */
  readonly wanted: boolean
}

const none: readonly OpenQuestion[] = []

/** Asks the list's approval requests one after the other. */
export default function DialogQuestions({ questions, wanted }: DialogQuestionsProps) {
  const open = useSyncExternalStore(questions.subscribe, questions.list, () => none)
  const [question] = open
  if (!wanted || !question) return null
  return (
    <Guarded what={t('asks.part')} look="over" resetKey={question.id}>
      <ApprovalDialog question={question} more={open.length - 1} />
    </Guarded>
  )
}

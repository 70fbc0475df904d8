'use client'

import { useMemo, useRef, useState } from 'react'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { Button } from '@/components/ui/controls/button'
import { cx } from '@/components/ui/recipes/recipe'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { foreignIn, labelOf } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import type { JsonObject } from '@/lib/base/json'
import type { InnerDecision, LiveInner } from '@/lib/shared/calls/call-state'
import { innerMessageCall, innerOf, type MessageCall } from '@/lib/shared/calls/message-calls'
import { holdsMarks } from '@/lib/shared/calls/click-reasons'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'
import { isLoudInBatch, type CallMark } from '@/lib/shared/origin/branch-origin'
import { emptyAnswer } from '@/lib/shared/tools/ask-user/answer'
import { questionOf } from '@/lib/shared/tools/ask-user/question'
import type { InnerCall } from '@/lib/shared/conversation/call-record'
import { AnswerForm } from '../ask/answer-form'
import { CardHead } from './card-head'
import { CallEvidence } from '../evidence/call-evidence'
import { failureSentence, ResultView } from '../evidence/result-view'
import { CallScopeProvider, cardStatus, useCall, useHeldRun, type CardStatus } from '../scope/call-scope'
import { useOrigins } from '../scope/use-origins'
import { useCallSummary } from '../words/tool-name'
import { Sentence } from '../sentence'
import { RanWithoutClick } from '../settled/ran-alone'
import {
  cardFrame,
  CardBody,
  cardEnd,
  CardFoot,
  cardNote,
  CardTrouble,
  Fact,
  footButton,
  footGo,
  Meta,
} from '../styles/card'
import { CheckingNote, DenyWithReason, RunButton } from '../waiting/decide-buttons'
import { MarksLine } from '../waiting/call-meta'
import { OriginNote, OriginValues } from '../waiting/origin-note'

/** The tools that the code of a card called: waiting, running and settled. */
export default function InnerCalls() {
  const { entry, messageId } = useCall()
  const { slot, state, record } = entry
  const actions = useCallActions()
  const tools = useTools()
  const live = state.status === 'executing' && state.here ? (entry.live?.inner ?? none) : none
  const stored = innerOf(record).filter(({ n }) => live.every((one) => one.n !== n))
  const say = (n: number, word: InnerDecision) => actions.answerInner(messageId, slot, n, word)
  const asked = live.filter(({ stage }) => stage === 'asked')
  const { call: code } = entry
  const marked = useMemo(
    () => ({
      calls: live.filter(({ stage }) => stage === 'asked').map((one) => markable(code, one)),
      within: { slot, calls: innerOf(record) },
    }),
    [live, code, slot, record],
  )
  const marks = useOrigins(messageId, marked)
  // As with the calls of a reply, a call that needs its own look runs only by its own button.
  const together = asked.filter(
    (one) =>
      marks !== null &&
      tools.get(one.name)?.policy.asksUser !== true &&
      !holdsMarks(one) &&
      !isLoudInBatch(marks.get(one.n)),
  )
  const all = [...stored, ...live].toSorted((a, b) => a.n - b.n)
  if (all.length === 0) return null
  return (
    <section
      aria-label={t(stored.some(({ page }) => page) ? 'card-inner.page-list' : 'card-inner.list')}
      className="border-t border-line"
    >
      <div data-decides="" className={cx(cardNote({ look: 'lead' }), 'flex flex-wrap items-center gap-2')}>
        <span className="me-auto" role={asked.length > 0 ? 'status' : undefined}>
          {asked.length > 0
            ? t('card-inner.asks', { count: asked.length })
            : stored.some(({ page }) => page)
              ? t('card-inner.page-called', { count: stored.length })
              : t('card-inner.called', { count: all.length })}
        </span>
        {together.length > 1 ? (
          <Button
            look="go-next"
            className={footButton}
            onClick={() => together.forEach(({ n }) => say(n, { kind: 'run' }))}
          >
            {t('card-inner.run-all', { count: together.length })}
          </Button>
        ) : null}
      </div>
      <div className="grid gap-2 px-3.5 pb-3.5 narrow:px-3">
        {all.map((one) =>
          'stage' in one ? (
            <OpenInner
              key={one.n}
              inner={one}
              origin={marks === null ? undefined : (marks.get(one.n) ?? null)}
              say={(word) => say(one.n, word)}
            />
          ) : (
            <StoredInner key={one.n} inner={one} runs={state.status === 'executing'} />
          ),
        )}
      </div>
    </section>
  )
}

const none: readonly LiveInner[] = []

/** Marks are stored by slot, so each inner call uses its number as the slot. */
const markable = (code: MessageCall['call'], inner: LiveInner): MessageCall =>
  innerMessageCall({ slot: inner.n, call: code }, inner)

/** The parts of a card read the inner call as if it were the call that contains it. */
function useInnerScope({ name, arguments: args }: { readonly name: string; readonly arguments: JsonObject }) {
  const scope = useCall()
  const tool = useTools().get(name)
  const summary = useCallSummary(tool, args)
  const { call } = innerMessageCall(scope.entry, { name, arguments: args })
  return { scope, tool, summary, call }
}

interface OpenInnerProps {
  readonly inner: LiveInner
  /** Undefined: not known yet. */
  readonly origin: CallMark | null | undefined
  readonly say: (word: InnerDecision) => void
}

/** The call waits for the user, or runs. */
function OpenInner({ inner, origin, say }: OpenInnerProps) {
  const { scope, tool, summary, call } = useInnerScope(inner)
  const [isReason, setReason] = useState(false)
  const isAsked = inner.stage === 'asked'
  const group = useRef<HTMLDivElement>(null)
  // The pressed button disappears, so the focus moves within the card.
  const decided = (word: InnerDecision) => {
    group.current?.focus({ preventScroll: true })
    say(word)
  }
  const entry = {
    ...scope.entry,
    call,
    origin,
    changed: false,
    promoted: false,
    problem: inner.problem,
  }
  const held = useHeldRun({ ...scope.decide, run: () => decided({ kind: 'run' }) }, entry)
  const { permission, capabilities, asksUser } = tool?.policy ?? {}
  return (
    <CallScopeProvider value={{ ...scope, ...held, entry, tool, summary, raw: '', current: false, filled: false }}>
      <div
        ref={group}
        tabIndex={-1}
        role="group"
        aria-label={labelOf(t('card-frame.call', { tool: inner.name }))}
        className={cardFrame({ look: isAsked ? 'waiting' : undefined })}
      >
        <CardHead
          call={call}
          summary={isAsked ? null : summary}
          status={cardStatus[isAsked ? 'awaiting_approval' : 'executing']}
        />
        {!isAsked ? null : asksUser === true ? (
          <AskInner
            args={inner.arguments}
            onAnswer={(answer) => decided({ kind: 'run', answer })}
            onDeny={() => decided({ kind: 'deny', reason: '' })}
          />
        ) : (
          <OriginValues origin={entry.origin}>
            <Sentence parts={summary?.sentence ?? [inner.name]} />
            <Meta>
              {capabilities ? <Fact>{t('card-waiting.files', { files: capabilities.files })}</Fact> : null}
              {capabilities ? <Fact>{t('card-waiting.network', { network: capabilities.network })}</Fact> : null}
              <Fact>{t('card-waiting.asks', { always: permission === 'sensitive' })}</Fact>
            </Meta>
            <OriginNote />
            <MarksLine call={call} say={(marks) => t('card-waiting.marks', { marks })} />
            {inner.problem === null ? null : <CardTrouble text={inner.problem} />}
            <CallEvidence summary={summary} args={inner.arguments} />
            {isReason ? (
              <DenyWithReason
                decide={{ deny: (reason) => decided({ kind: 'deny', reason }) }}
                onBack={() => setReason(false)}
              />
            ) : (
              <CardFoot>
                <RunButton />
                <CheckingNote />
                <Button className={footButton} onClick={() => decided({ kind: 'deny', reason: '' })}>
                  {t('card.deny')}
                </Button>
                <Button look="quiet" className={cx(footButton, 'ms-auto')} onClick={() => setReason(true)}>
                  {t('card-inner.deny-why')}
                </Button>
              </CardFoot>
            )}
          </OriginValues>
        )}
      </div>
    </CallScopeProvider>
  )
}

function AskInner({
  args,
  onAnswer,
  onDeny,
}: {
  args: JsonObject
  onAnswer: (answer: JsonObject) => void
  onDeny: () => void
}) {
  const [draft, setDraft] = useState(emptyAnswer)
  const form = useRef<HTMLFormElement>(null)
  const model = useConversation((view) => nameOfModel(view.conversation?.settings.model ?? ''))
  return (
    <AnswerForm
      question={questionOf(args)}
      draft={draft}
      onDraft={setDraft}
      onAnswer={(whole) => onAnswer({ ...whole })}
      model={model}
      form={form}
    >
      <CardFoot look="flat">
        <Button type="submit" look="go-next" className={footGo}>
          {t('asks.answer')}
        </Button>
        <Button className={footButton} onClick={onDeny}>
          {t('asks.wont-say')}
        </Button>
      </CardFoot>
    </AnswerForm>
  )
}

/** `runs`: a tab runs the code, this one or another. */
function statusOf({ decision, outcome }: InnerCall, runs: boolean): CardStatus {
  if (decision === 'deny') return cardStatus.execution_rejected
  switch (outcome?.status) {
    case undefined:
      return cardStatus[runs ? 'executing' : 'interrupted']
    case 'completed':
      return cardStatus.completed
    case 'cancelled':
      return cardStatus.cancelled
    default:
      return cardStatus.error
  }
}

/** The call is decided. Its head opens the arguments and the result. */
function StoredInner({ inner, runs }: { inner: InnerCall; runs: boolean }) {
  const { scope, summary, call } = useInnerScope(inner)
  const [open, setOpen] = useState(false)
  const { outcome, decision, reason, by, name } = inner
  return (
    <div role="group" aria-label={labelOf(t('card-frame.result', { tool: name }))} className={cardFrame()}>
      <CardHead
        call={call}
        summary={summary}
        status={statusOf(inner, runs)}
        fold={{ open, toggle: () => setOpen(!open) }}
      />
      {open ? (
        <div className={cardEnd}>
          <Sentence parts={summary?.sentence ?? [name]} />
          <RanWithoutClick record={{ messageId: scope.messageId, slot: scope.entry.slot, name, by }} />
          {decision === 'deny' ? (
            <Meta>
              <Fact>
                <SentenceText text={reason === '' ? t('card.denied') : t('card.denied-because', { reason })} />
              </Fact>
            </Meta>
          ) : null}
          <CallEvidence summary={summary} args={inner.arguments} />
          {outcome === null ? null : outcome.status === 'completed' ? (
            <CardBody>
              {inner.page ? <p className="m-0">{t('card-inner.page-result')}</p> : <ResultView outcome={outcome} />}
            </CardBody>
          ) : (
            <Sentence parts={foreignIn(failureSentence(outcome))} />
          )}
        </div>
      ) : null}
    </div>
  )
}

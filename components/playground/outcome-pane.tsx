'use client'

import { type RefObject, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { ChangedFiles, filesSentence } from '@/components/tool-call/changed-files'
import { ConsoleLines, Elapsed } from '@/components/ui/code/console-lines'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { DisplayView } from '@/components/ui/data/display-view'
import { drawableText } from '@/components/ui/text/drawable-text'
import { cx } from '@/components/ui/recipes/recipe'
import { Spinner } from '@/components/ui/page/wait'
import { TextButton, Button } from '@/components/ui/controls/button'
import { waitsFor } from '@/lib/sandbox/sandbox'
import { t } from '@/lib/i18n/t'
import { benchPart, BenchTitle, rawText } from './reading-state'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import type { ManualRun, ManualDecision } from './use-manual-run'
import { CodeBlock } from '@/components/ui/code/code-block'
import { decidedResult } from '@/lib/shared/prompt/decided-result'
import { resultToWrite } from '@/lib/shared/conversation/stopped-outcome'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { SentenceParts } from '@/components/tool-call/sentence'
import { field } from '@/components/ui/recipes/field'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { Kbd } from '@/components/ui/controls/kbd'
import type { ExecutionDecision, OpenQuestion } from '@/lib/client/calls/approval/approval-ui'
import { useBuiltInTools } from '@/components/context/tools-context'
import { AnswerForm } from '@/components/tool-call/ask/answer-form'
import type { JsonObject } from '@/lib/base/json'
import { emptyAnswer } from '@/lib/shared/tools/ask-user/answer'
import { questionOf } from '@/lib/shared/tools/ask-user/question'

interface AnswerQuestionProps {
  readonly args: JsonObject
  readonly onAnswer: (decision: ExecutionDecision) => void
}

/** The form of a call that asks the user, as on a card. No model receives the answer. */
function AnswerQuestion({ args, onAnswer }: AnswerQuestionProps) {
  const [draft, setDraft] = useState(emptyAnswer)
  const root = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  // Focuses the whole question, so that a key meant for the arguments does not answer it.
  useEffect(() => root.current?.focus({ preventScroll: true }), [])
  return (
    <div
      ref={root}
      role="group"
      tabIndex={-1}
      aria-label={t('asks.part')}
      className="mt-3 rounded-lg border border-accent pt-3"
    >
      <AnswerForm
        question={questionOf(args)}
        draft={draft}
        onDraft={setDraft}
        onAnswer={(whole) => onAnswer({ kind: 'run', answer: { ...whole } })}
        model=""
        form={form}
      >
        <div className="flex flex-wrap items-center gap-2 px-3.5 pb-3">
          <Button
            type="submit"
            look="go"
            wide
            className="narrow:h-touch narrow:flex-1"
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {t('asks.answer')} <Kbd keys="mod+enter" />
          </Button>
          <Button className="narrow:h-touch narrow:flex-1" onClick={() => onAnswer({ kind: 'deny', reason: '' })}>
            {t('asks.wont-say')}
          </Button>
          <TextButton onClick={() => onAnswer({ kind: 'later' })}>{t('play.not-now')}</TextButton>
        </div>
      </AnswerForm>
    </div>
  )
}

type RunQuestionOf = Extract<OpenQuestion, { kind: 'run' }>
type ResultQuestionOf = Extract<OpenQuestion, { kind: 'result' }>

interface QuestionProps<Q> {
  readonly question: Q
  /** Called just before an answer removes the question and its focus. */
  readonly onAnswer: () => void
}

/** Asks whether this call may run. Its effect is derived from its arguments, as on a card. */
export function RunQuestion({ question, onAnswer }: QuestionProps<RunQuestionOf>) {
  const { call } = question.request.call
  const root = useRef<HTMLDivElement>(null)
  const reasonId = useId()
  const [reason, setReason] = useState('')
  const tool = useBuiltInTools().get(call.name)
  // Focuses the whole question and not Run, so that a key meant for the form does not decide anything.
  useEffect(() => root.current?.focus({ preventScroll: true }), [])
  const answer = (decision: ExecutionDecision) => {
    onAnswer()
    question.answer(decision)
  }
  const deny = () => answer({ kind: 'deny', reason: reason.trim() })
  const listeners = {
    onKeyDown(event: KeyboardEvent) {
      if (event.repeat || event.nativeEvent.isComposing || !(event.ctrlKey || event.metaKey)) return
      if (event.key !== 'Enter') return
      event.preventDefault()
      answer({ kind: 'run' })
    },
  }
  if (tool?.policy.asksUser) return <AnswerQuestion args={call.arguments} onAnswer={answer} />
  return (
    <div
      ref={root}
      role="group"
      tabIndex={-1}
      aria-label={t('may.run', { name: visibleText(call.name, 'name') })}
      className="mt-3 grid gap-2 rounded-lg border border-accent p-3"
      {...listeners}
    >
      <p>
        <SentenceParts parts={withParts((put) => t('may.run', { name: put({ code: call.name }) }))} />{' '}
        {tool ? <SentenceParts parts={tool.card.summarize(call.arguments).sentence} /> : null}
      </p>
      <label className="text-sm text-muted" htmlFor={reasonId}>
        {t('play.reason')}
      </label>
      <input id={reasonId} className={field()} value={reason} onChange={(event) => setReason(event.target.value)} />
      <div className="flex flex-wrap items-center gap-2">
        <Button look="go" wide aria-keyshortcuts="Control+Enter Meta+Enter" onClick={() => answer({ kind: 'run' })}>
          {t('play.run')} <Kbd keys="mod+enter" />
        </Button>
        <Button onClick={deny}>{t('play.deny')}</Button>
        <TextButton onClick={() => answer({ kind: 'later' })}>{t('play.not-now')}</TextButton>
      </div>
    </div>
  )
}

/** Asks what to do with the result. Here it is sent nowhere: the answer shows what a model would receive. */
function ResultQuestion({ question, onAnswer }: QuestionProps<ResultQuestionOf>) {
  const { name } = question.request.call.call
  const answer = (kind: 'sent' | 'withheld') => {
    onAnswer()
    question.answer({ kind, note: '' })
  }
  return (
    <div
      role="group"
      aria-label={t('may.send', { name: visibleText(name, 'name') })}
      className="mb-3 grid gap-2 rounded-lg border border-accent p-3"
    >
      <p>{t('play.may-send')}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Button look="go" onClick={() => answer('sent')}>
          {t('play.send')}
        </Button>
        <Button onClick={() => answer('withheld')}>{t('play.keep')}</Button>
      </div>
    </div>
  )
}

interface ManualCallResultProps {
  readonly decided: ManualDecision
  readonly strategy: StrategyId
}

/** What a model would receive for a call by hand, in the format of a chat. */
function ManualCallResult({ decided: { live, row, boundary }, strategy }: ManualCallResultProps) {
  const sentResult = resultToWrite(decidedResult(row, live))
  const { text } = toolContextBuilder.get(strategy).formatResults([sentResult], boundary)
  return (
    <section aria-label={t('play.told')} className="mb-3">
      <p className="mb-1 text-sm text-muted">
        {t('play.told-under', { strategy })} <CopyButton text={() => text} label={t('play.copy-told')} />
      </p>
      <CodeBlock label={t('play.told')} text={text} numbered={false} />
    </section>
  )
}

export interface OutcomePaneProps extends Pick<ManualRun, 'questions' | 'running' | 'outcome' | 'decided'> {
  readonly strategy: StrategyId
  /** The result's region, which gets the focus after an answered question. */
  readonly region: RefObject<HTMLDivElement | null>
  readonly onAnswer: () => void
  readonly onClear: () => void
}

/** The outcome, exactly as it would be stored, and what a model would receive. */
export function OutcomePane({
  questions,
  running,
  outcome,
  decided,
  strategy,
  region,
  onAnswer,
  onClear,
}: OutcomePaneProps) {
  const text = outcome === null ? '' : JSON.stringify(outcome, null, 2)
  const lines = running?.events.flatMap((event) => (event.type === 'console' ? [event] : [])) ?? []
  return (
    <section
      className={benchPart(
        { second: true },
        'col-start-2 row-[1/span_2] narrow:col-auto narrow:row-auto narrow:py-0 [&_img]:mx-0',
      )}
      aria-label={t('play.came-back')}
    >
      <BenchTitle>
        {t('play.outcome')}
        {running ? (
          <span className="ms-auto inline-flex items-center gap-1.5 ps-3 whitespace-nowrap text-muted tabular-nums [&>svg]:size-3.5">
            <Spinner /> {waitsFor(running.events) || t('play.running')} · <Elapsed startedAt={running.startedAt} />
          </span>
        ) : null}
        {outcome ? (
          <span className="text-muted tabular-nums" role="status">
            {t('play.status', { status: outcome.status, ms: outcome.durationMs })}
          </span>
        ) : null}
        {outcome ? (
          <span className="ms-auto">
            <span className="text-muted">{t('play.nothing-sent')}</span> <CopyButton text={() => text} />{' '}
            <TextButton onClick={onClear}>{t('play.clear')}</TextButton>
          </span>
        ) : null}
      </BenchTitle>
      {questions.map((question) =>
        question.kind === 'result' ? (
          <ResultQuestion key={question.id} question={question} onAnswer={onAnswer} />
        ) : null,
      )}
      {decided ? <ManualCallResult decided={decided} strategy={strategy} /> : null}
      {outcome?.files && outcome.files.total > 0 ? (
        <div className="grid gap-2 py-2 text-sm">
          <p>{filesSentence(outcome.files)}</p>
          <ChangedFiles files={outcome.files} />
        </div>
      ) : null}
      <div
        ref={region}
        role="region"
        aria-label={t('play.outcome')}
        aria-busy={running !== null}
        className="mb-3 min-h-36 overflow-clip rounded-lg border border-line"
        tabIndex={0}
      >
        {outcome ? (
          <pre className={cx(rawText, 'min-h-36')}>
            <SentenceText text={drawableText(text)} />
          </pre>
        ) : null}
        {outcome === null && !running ? <p className="px-3.5 py-3 text-muted">{t('play.nothing-yet')}</p> : null}
      </div>
      {lines.length > 0 ? <ConsoleLines lines={lines} last={8} /> : null}
      {outcome?.displays.map((display, index) => (
        <DisplayView key={index} {...display} number={index + 1} />
      ))}
    </section>
  )
}

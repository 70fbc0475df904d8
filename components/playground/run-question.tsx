'use client'

import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { SentenceParts } from '@/components/tool-call/sentence'
import { Button, TextButton } from '@/components/ui/controls/button'
import { field } from '@/components/ui/recipes/field'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { Kbd } from '@/components/ui/controls/kbd'
import type { ExecutionDecision, OpenQuestion } from '@/lib/client/calls/approval-ui'
import { t } from '@/lib/i18n/t'
import { useBuiltInTools } from '@/components/context/tools-context'
import { AnswerForm } from '@/components/tool-call/ask/answer-form'
import type { JsonObject } from '@/lib/base/json'
import { emptyAnswer } from '@/lib/shared/tools/ask-user/answer'
import { questionOf } from '@/lib/shared/tools/ask-user/question'

interface AnswerQuestionProps {
  readonly args: JsonObject
  readonly onAnswer: (decision: ExecutionDecision) => void
}

/** A call that asks, run by hand: its form, as on a card. There is no model that hears the answer. */
function AnswerQuestion({ args, onAnswer }: AnswerQuestionProps) {
  const [draft, setDraft] = useState(emptyAnswer)
  const root = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  // On the question as a whole: a key that was meant for the arguments must not answer it.
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
  /** Right before an answer takes the question away, and the focus with it. */
  readonly onAnswer: () => void
}

/** May this call run? What it would do is measured from its arguments, as on a card. */
export function RunQuestion({ question, onAnswer }: QuestionProps<RunQuestionOf>) {
  const { call } = question.request.call
  const root = useRef<HTMLDivElement>(null)
  const reasonId = useId()
  const [reason, setReason] = useState('')
  const tool = useBuiltInTools().get(call.name)
  // On the question as a whole, not on Run: a key that was meant for the form must not decide anything.
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

/** What becomes of the result? Here it goes nowhere: the answer shows what a model would be told. */
export function ResultQuestion({ question, onAnswer }: QuestionProps<ResultQuestionOf>) {
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

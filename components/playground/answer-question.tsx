'use client'

import { useEffect, useRef, useState } from 'react'
import { AnswerForm } from '@/components/tool-call/ask/answer-form'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { TextButton } from '@/components/ui/text-button'
import type { JsonObject } from '@/lib/base/json'
import type { ExecutionDecision } from '@/lib/tool-calls/approval-ui'
import { emptyAnswer } from '@/lib/tools/ask-user/answer'
import { questionOf } from '@/lib/tools/ask-user/question'
import { t } from '@/lib/i18n/t'

export interface AnswerQuestionProps {
  readonly args: JsonObject
  readonly onAnswer: (decision: ExecutionDecision) => void
}

/** A call that asks, run by hand: its form, as on a card. There is no model that hears the answer. */
export function AnswerQuestion({ args, onAnswer }: AnswerQuestionProps) {
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

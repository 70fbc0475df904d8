'use client'

import type { ReactNode } from 'react'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { questionOf } from '@/lib/shared/tools/ask-user/question'
import { t } from '@/lib/i18n/t'
import { ResultView } from '../evidence/result-view'
import { useCall } from '../scope/call-scope'
import { useForgetAnswer } from './use-answer-draft'

/** The user's answer, under the question. */
export default function AnswerView({ outcome }: { outcome: CallOutcome }) {
  const { conversationId, messageId, entry } = useCall()
  useForgetAnswer({ conversationId, messageId, slot: entry.slot })
  const { text } = questionOf(entry.call.arguments)
  const { result } = outcome
  if (!isJsonObject(result)) return <ResultView outcome={outcome} />
  const { chosen, user_wrote: wrote, fields } = result
  return (
    <div className="grid gap-2 px-3.5 py-3 text-md narrow:px-3">
      <p className="whitespace-pre-line wrap-anywhere text-muted">
        <ForeignText text={text} reading="prose" />
      </p>
      <dl className="grid gap-1.5">
        {chosen === undefined ? null : <AnswerLine what={t('asks.you-chose')} value={chosen} />}
        {wrote === undefined ? null : <AnswerLine what={t('asks.you-wrote')} value={wrote} />}
        {isJsonObject(fields ?? null)
          ? Object.entries(fields as Readonly<Record<string, JsonValue>>).map(([name, value]) => (
              <AnswerLine key={name} what={<ForeignText text={name} reading="prose" />} value={value} />
            ))
          : null}
      </dl>
    </div>
  )
}

const AnswerLine = ({ what, value }: { what: ReactNode; value: JsonValue }) => (
  <div className="grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-4 narrow:grid-cols-1">
    <dt className="max-w-60 text-sm/md wrap-anywhere text-muted">{what}</dt>
    <dd className="whitespace-pre-wrap wrap-anywhere">
      <ForeignText text={wordsOf(value)} reading="prose" />
    </dd>
  </div>
)

function wordsOf(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? t('asks.none-chosen') : value.map(wordsOf).join('\n')
  if (typeof value === 'boolean') return t(value ? 'asks.yes' : 'asks.no')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

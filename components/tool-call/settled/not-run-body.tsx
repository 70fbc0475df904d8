'use client'

import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import type { CallEntry } from '../scope/use-message-calls'
import { Sentence } from '../sentence'
import { ShowCall } from './show-call'
import { CardMore, Meta, Fact } from '../styles/card-parts'

export function SkippedBody() {
  const { entry, overtaken } = useCall()
  const posted = overtaken || entry.record?.postedIn != null
  return (
    <>
      <Sentence parts={[skipSentence(entry, overtaken)]} />
      <Meta>
        <Fact>{t(posted ? 'settled.told' : 'settled.untold')}</Fact>
      </Meta>
      <CardMore>
        <ShowCall />
      </CardMore>
    </>
  )
}

function skipSentence({ record }: CallEntry, overtaken: boolean): string {
  const wroteOn = t('settled.skipped.wrote-on')
  if (record?.decision !== 'skip') return wroteOn
  switch (record.by.kind) {
    case 'limit':
      return t('settled.skipped.limit', { limit: record.by.maxCalls })
    case 'overtaken':
      return wroteOn
    case 'unknown':
      return t('settled.skipped.unreadable')
    case 'run-stopped':
    case 'click':
    case 'auto':
    case 'grant':
      return overtaken ? wroteOn : t('settled.skipped.left-out')
  }
}

'use client'

import { settledSentence } from '@/lib/words/card-settled'
import { useCall } from '../scope/call-scope'
import type { CallEntry } from '../scope/use-message-calls'
import { Sentence } from '../sentence'
import { ShowCall } from './show-call'
import { CardMore, Meta, Fact } from '../look/card-parts'

export function SkippedBody() {
  const { entry, overtaken } = useCall()
  const posted = overtaken || entry.record?.postedIn != null
  return (
    <>
      <Sentence parts={[skipSentence(entry, overtaken)]} />
      <Meta>
        <Fact>{settledSentence(posted ? 'settled.told' : 'settled.untold')}</Fact>
      </Meta>
      <CardMore>
        <ShowCall />
      </CardMore>
    </>
  )
}

function skipSentence({ record }: CallEntry, overtaken: boolean): string {
  const wroteOn = settledSentence('settled.skipped.wrote-on')
  if (record?.decision !== 'skip') return wroteOn
  switch (record.by.kind) {
    case 'limit':
      return settledSentence('settled.skipped.limit', { limit: record.by.maxCalls })
    case 'overtaken':
      return wroteOn
    case 'unknown':
      return settledSentence('settled.skipped.unreadable')
    case 'run-stopped':
    case 'click':
    case 'auto':
    case 'grant':
      return overtaken ? wroteOn : settledSentence('settled.skipped.left-out')
  }
}

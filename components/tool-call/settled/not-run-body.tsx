'use client'

import { limitReached } from '@/lib/calls/chain-limits'
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
        <Fact>{posted ? 'The model was told so.' : 'The model has not been told yet.'}</Fact>
      </Meta>
      <CardMore>
        <ShowCall />
      </CardMore>
    </>
  )
}

function skipSentence({ record }: CallEntry, overtaken: boolean): string {
  const wroteOn = 'You wrote something else, so this did not run.'
  if (record?.decision !== 'skip') return wroteOn
  switch (record.by.kind) {
    case 'limit':
      return limitReached(record.by.maxCalls)
    case 'overtaken':
      return wroteOn
    case 'unknown':
      return 'What was decided here can no longer be read, so this does not run.'
    case 'run-stopped':
    case 'click':
    case 'auto':
    case 'grant':
      return overtaken ? wroteOn : 'You left this out, so it did not run.'
  }
}

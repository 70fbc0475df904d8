'use client'

import { useState, type ReactNode } from 'react'
import { TextButton } from '@/components/ui/text-button'
import { useCall } from '../scope/call-scope'
import { CallEvidence } from '../evidence/call-evidence'
import type { CallEntry } from '../scope/use-message-calls'
import { Sentence } from '../sentence'
import { CardMore, Meta, Fact } from '../look/card-parts'

export function DeniedBody({ reason, posted }: { reason: string; posted: boolean }) {
  return (
    <WithCall>
      <Sentence parts={[reason === '' ? 'You denied this.' : `You denied this: “${reason}”`]} />
      <Meta>
        <Fact>
          Nothing ran.{' '}
          {posted
            ? reason === ''
              ? 'The model was told so.'
              : 'The model was told your reason.'
            : 'The model has not been told yet.'}
        </Fact>
      </Meta>
    </WithCall>
  )
}

export function SkippedBody() {
  const { entry, overtaken } = useCall()
  const posted = overtaken || entry.record?.postedIn != null
  return (
    <WithCall>
      <Sentence parts={[skipSentence(entry, overtaken)]} />
      <Meta>
        <Fact>{posted ? 'The model was told so.' : 'The model has not been told yet.'}</Fact>
      </Meta>
    </WithCall>
  )
}

/** A row that nobody's click made holds the reason, where there is one: the calls of its reply were used up. */
function skipSentence({ record }: CallEntry, overtaken: boolean): string {
  if (record?.callHash === '' && record.reason !== '') return record.reason
  return record?.decision === 'skip' && !overtaken
    ? 'You left this out, so it did not run.'
    : 'You wrote something else, so this did not run.'
}

/** What was asked, one press away. */
function WithCall({ children }: { children: ReactNode }) {
  const { entry, summary } = useCall()
  const [open, setOpen] = useState(false)
  return (
    <>
      {children}
      {open ? <CallEvidence summary={summary} args={entry.call.arguments} /> : null}
      <CardMore>
        <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'hide the call' : 'show the call'}
        </TextButton>
      </CardMore>
    </>
  )
}

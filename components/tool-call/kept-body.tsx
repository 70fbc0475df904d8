'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import type { CallOutcome } from '@/lib/chat/conversation'
import { Meta } from './call-meta'
import { Sentence } from './sentence'
import { OutcomeTabs, type CallParts } from './settled-body'

export interface KeptBodyProps extends CallParts {
  readonly outcome: CallOutcome
  readonly note: string
  readonly posted: boolean
  /** Gives a sentence when it could not be stored. */
  readonly onSend: () => Promise<string | null>
}

/** It ran, and the user kept the result. */
export function KeptBody({ outcome, note, posted, onSend, ...parts }: KeptBodyProps) {
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <>
      <Sentence
        parts={[
          posted
            ? 'It ran. You kept the result; the model was told so.'
            : 'It ran. You kept the result; the model will be told so.',
        ]}
      />
      {note === '' ? null : (
        <Meta>
          <span>
            your note to the model: “<SaidText text={note} />”
          </span>
        </Meta>
      )}
      <OutcomeTabs {...parts} outcome={outcome} release={null} />
      {problem ? (
        <p className="card-say trouble" role="alert">
          <SaidText text={problem} />
        </p>
      ) : null}
      {posted ? null : (
        <div className="card-foot gate-foot">
          <Button className="act" onClick={() => void onSend().then(setProblem)}>
            Send after all
          </Button>
        </div>
      )}
    </>
  )
}

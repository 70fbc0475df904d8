'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import type { CallOutcome } from '@/lib/chat/conversation'
import { LEFT_BEHIND } from '@/lib/chat/left-behind'
import { Meta } from '../card/call-meta'
import { Sentence } from '../sentence'
import { OutcomeTabs, type CallParts } from './settled-body'

export interface KeptBodyProps extends CallParts {
  readonly outcome: CallOutcome
  readonly note: string
  readonly posted: boolean
  /** The user wrote on before it came back: what the model was told; null otherwise. */
  readonly toldUnfinished: string | null
  /** Gives a sentence when it could not be stored. */
  readonly onSend: () => Promise<string | null>
}

/** It ran, and the user kept the result. */
export function KeptBody({ outcome, note, posted, toldUnfinished, onSend, ...parts }: KeptBodyProps) {
  const isOvertaken = note === LEFT_BEHIND
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <>
      <Sentence
        parts={[
          toldUnfinished !== null
            ? `It ran, and its result stays here. ${toldUnfinished}`
            : isOvertaken
              ? 'It ran. You wrote something else instead of sending the result; the model was told so.'
              : posted
                ? 'It ran. You kept the result; the model was told so.'
                : 'It ran. You kept the result; the model will be told so.',
        ]}
      />
      {note === '' || isOvertaken ? null : (
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

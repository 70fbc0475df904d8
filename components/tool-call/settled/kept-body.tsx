'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { SaidText } from '@/components/ui/foreign-text'
import { LEFT_BEHIND } from '@/lib/chat/left-behind'
import type { CallState } from '@/lib/tool-calls/call-state'
import { Meta } from '../card/call-meta'
import { useCall } from '../card/call-scope'
import { Sentence } from '../sentence'
import { OutcomeTabs } from './outcome-tabs'
import { UndoLine } from './settled-lines'
import { unfinishedToldWords } from './told-words'

/** It ran, and the user kept the result. */
export function KeptBody({ state }: { state: Extract<CallState, { status: 'result_rejected' }> }) {
  const { outcome, note, posted } = state
  const { entry, decide } = useCall()
  const isOvertaken = note === LEFT_BEHIND
  const toldUnfinished = unfinishedToldWords(entry)
  const [problem, setProblem] = useState<string | null>(null)
  const send = () => void decide.release({ kind: 'sent', note: '' }).then(setProblem)
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
      <OutcomeTabs outcome={outcome} release={null} />
      {problem ? (
        <p className="card-say trouble" role="alert">
          <SaidText text={problem} />
        </p>
      ) : null}
      {posted ? null : (
        <div className="card-foot gate-foot">
          <Button className="act" onClick={send}>
            Send after all
          </Button>
        </div>
      )}
      <UndoLine />
    </>
  )
}

'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { SaidText } from '@/components/ui/foreign-text'
import { LEFT_BEHIND } from '@/lib/conversation/left-behind'
import type { CallState } from '@/lib/calls/call-state'
import { useCall } from '../scope/call-scope'
import { Sentence } from '../sentence'
import { OutcomeTabs } from './outcome-tabs'
import { UndoLine } from './settled-lines'
import { unfinishedToldWords } from './told-words'
import { footButton } from '../look/card'
import { Trouble, CardFoot, Meta, Fact } from '../look/card-parts'

/** It ran, and the user kept the result. */
export function KeptBody({ state }: { state: Extract<CallState, { status: 'result_rejected' }> }) {
  const { outcome, note, posted } = state
  const { entry, decide } = useCall()
  const isOvertaken = note === LEFT_BEHIND
  const toldUnfinished = unfinishedToldWords(entry)
  const [problem, setProblem] = useState<string | null>(null)
  const send = () => void decide.sendAfterAll().then(setProblem)
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
          <Fact>
            your note to the model: “<SaidText text={note} />”
          </Fact>
        </Meta>
      )}
      <OutcomeTabs outcome={outcome} release={null} />
      {problem ? <Trouble text={problem} /> : null}
      {posted ? null : (
        <CardFoot look="gate">
          <Button className={footButton} onClick={send}>
            Send after all
          </Button>
        </CardFoot>
      )}
      <UndoLine />
    </>
  )
}

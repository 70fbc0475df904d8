'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { SaidText } from '@/components/ui/foreign-text'
import type { CallState } from '@/lib/calls/call-state'
import type { KeptBy } from '@/lib/conversation/conversation'
import { useCall } from '../scope/call-scope'
import { Sentence } from '../sentence'
import { OutcomeTabs } from './outcome-tabs'
import { UndoLine } from './settled-lines'
import { unfinishedResultWords } from './sent-result-words'
import { footButton } from '../look/card'
import { CardTrouble, CardFoot, Meta, Fact } from '../look/card-parts'

const keptWords: Readonly<Record<KeptBy['kind'], string>> = {
  click: 'You kept the result',
  overtaken: 'You wrote something else instead of sending the result',
  imported: 'Its result came with the imported chat and stays here',
  unknown: 'What was said about its result can no longer be read, so it stays here',
}

/** It ran, and the result stays here. */
export function KeptBody({ state }: { state: Extract<CallState, { status: 'result_rejected' }> }) {
  const { outcome, by, note, posted } = state
  const { entry, decide } = useCall()
  const toldUnfinished = unfinishedResultWords(entry)
  const [problem, setProblem] = useState<string | null>(null)
  const send = () => void decide.sendAfterAll().then(setProblem)
  return (
    <>
      <Sentence
        parts={[
          toldUnfinished !== null
            ? `It ran, and its result stays here. ${toldUnfinished}`
            : `It ran. ${keptWords[by.kind]}; the model ${posted ? 'was' : 'will be'} told so.`,
        ]}
      />
      {note === '' ? null : (
        <Meta>
          <Fact>
            your note to the model: “<SaidText text={note} />”
          </Fact>
        </Meta>
      )}
      <OutcomeTabs outcome={outcome} release={null} />
      {problem ? <CardTrouble text={problem} /> : null}
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

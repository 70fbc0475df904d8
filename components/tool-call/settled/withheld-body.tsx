'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { SentenceText } from '@/components/ui/foreign-text'
import type { CallState } from '@/lib/shared/calls/call-state'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { Sentence } from '../sentence'
import { OutcomeTabs } from './outcome-tabs'
import { UndoLine } from './settled-lines'
import { unfinishedResultWords } from './sent-result-words'
import { footButton } from '../styles/card'
import { CardTrouble, CardFoot, Meta, Fact } from '../styles/card-parts'

/** It ran, and the result stays here. */
export function WithheldBody({ state }: { state: Extract<CallState, { status: 'result_rejected' }> }) {
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
            ? t('settled.kept-told', { told: toldUnfinished })
            : t('settled.kept', { by: by.kind, posted }),
        ]}
      />
      {note === '' ? null : (
        <Meta>
          <Fact>
            <SentenceText text={t('settled.note', { note })} />
          </Fact>
        </Meta>
      )}
      <OutcomeTabs outcome={outcome} release={null} />
      {problem ? <CardTrouble text={problem} /> : null}
      {posted ? null : (
        <CardFoot look="gate">
          <Button className={footButton} onClick={send}>
            {t('settled.send-after-all')}
          </Button>
        </CardFoot>
      )}
      <UndoLine />
    </>
  )
}

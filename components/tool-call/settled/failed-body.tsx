'use client'

import { useState } from 'react'
import { SaidText } from '@/components/ui/foreign-text'
import { TextButton } from '@/components/ui/text-button'
import type { CallState } from '@/lib/calls/call-state'
import { useCall } from '../scope/call-scope'
import { t } from '@/lib/i18n/t'
import { Sentence } from '../sentence'
import { OutcomeTabs } from './outcome-tabs'
import { failureParts } from './outcome-words'
import { ReleasedNote } from './released-note'
import { FilesLine, Preface, UndoLine, Unstored } from './settled-lines'
import { sentResultWords } from './sent-result-words'
import { cardEnd } from '../look/card'
import { Meta, Fact, MetaEnd } from '../look/card-parts'

/** What went wrong, and what the model knows of it. */
export function FailedBody({ state }: { state: Extract<CallState, { status: 'error' }> }) {
  const { outcome, release, posted } = state
  const { entry, tool } = useCall()
  const [more, setMore] = useState(false)
  return (
    <>
      <Preface />
      <Sentence parts={failureParts(outcome, entry.call, { isCode: tool?.codeParameter !== undefined })} />
      <Meta>
        <Fact>
          <SaidText text={sentResultWords(entry, posted, t('settled.told-can-try'))} />
        </Fact>
        <MetaEnd>
          <TextButton aria-expanded={more} onClick={() => setMore(!more)}>
            {t(more ? 'settled.less' : 'settled.more')}
          </TextButton>
        </MetaEnd>
      </Meta>
      <FilesLine files={outcome.files} />
      <ReleasedNote release={release} posted={posted} />
      {more ? <OutcomeTabs outcome={outcome} release={release} /> : <div className={cardEnd} />}
      <UndoLine />
      <Unstored />
    </>
  )
}

'use client'

import { SentenceText } from '@/components/ui/foreign-text'
import type { CallState } from '@/lib/shared/calls/call-state'
import { useCall } from '../scope/call-scope'
import { OutcomeTabs } from './outcome-tabs'
import { ReleasedNote } from './released-note'
import { FilesLine, Preface, UndoLine, Unstored } from './settled-lines'
import { unfinishedResultWords } from './sent-result-words'
import { Meta, Fact } from '../styles/card-parts'

/** It ran, and gave something back. */
export function CompletedBody({ state }: { state: Extract<CallState, { status: 'completed' }> }) {
  const told = unfinishedResultWords(useCall().entry)
  return (
    <>
      <Preface />
      {told === null ? null : (
        <Meta>
          <Fact>
            <SentenceText text={told} />
          </Fact>
        </Meta>
      )}
      <FilesLine files={state.outcome.files} />
      <ReleasedNote release={state.release} posted={state.posted} />
      <OutcomeTabs outcome={state.outcome} release={state.release} />
      <UndoLine />
      <Unstored />
    </>
  )
}

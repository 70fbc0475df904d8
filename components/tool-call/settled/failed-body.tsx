'use client'

import { useState } from 'react'
import { SentenceText } from '@/components/ui/foreign-text'
import { TextButton } from '@/components/ui/text-button'
import type { CallState } from '@/lib/shared/calls/call-state'
import { useCall } from '../scope/call-scope'
import { t } from '@/lib/i18n/t'
import { Sentence } from '../sentence'
import { OutcomeTabs } from './outcome-tabs'
import { ReleasedNote } from './released-note'
import { FilesLine, Preface, UndoLine, Unstored } from './settled-lines'
import { sentResultWords } from './sent-result-words'
import { cardEnd } from '../styles/card'
import { Meta, Fact, MetaEnd } from '../styles/card-parts'
import { foreignIn } from '@/lib/base/untrusted-text/foreign'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import type { CallOutcome } from '@/lib/shared/conversation/conversation'
import type { CallSegment } from '@/lib/protocols/types/segment'
import { failureSentence } from '../evidence/result-view'
import { quoteArguments } from './quote-arguments'

/** Characters of an error that stand in a sentence; the whole is one press away. */
const MAX_QUOTED = 400

/** What foreign code threw is quoted, as are the paths and texts of the call: they may say anything. */
function failureParts(
  outcome: CallOutcome,
  call: CallSegment,
  { isCode }: { readonly isCode: boolean },
): readonly SentencePart[] {
  const sentence = failureSentence(outcome)
  // What is ours is no text of the code’s.
  if (!isCode || outcome.said)
    return foreignIn(sentence).flatMap((part) =>
      typeof part === 'string' ? quoteArguments(part, call.arguments) : [part],
    )
  const line = sentence.replaceAll(/\s+/g, ' ')
  const error = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line
  return withParts((part) => t('settled.failed', { error: part({ code: error }) }))
}

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
          <SentenceText text={sentResultWords(entry, posted, t('settled.told-can-try'))} />
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

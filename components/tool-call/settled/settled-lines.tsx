'use client'

import { Button, TextButton } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { FileChanges, ResultRelease } from '@/lib/shared/conversation/call-record'
import { t } from '@/lib/i18n/t'
import { useCall, type CallEntry } from '../scope/call-scope'
import { filesSentence } from '../changed-files'
import { CallChanges } from '../edit/call-changes'
import { RanWithoutClick } from './ran-alone'
import { cx } from '@/components/ui/recipes/recipe'
import { footButton, CardFoot, Meta, Fact } from '../styles/card'
import { useState } from 'react'
import { CallEvidence } from '../evidence/call-evidence'
import { Sentence } from '../sentence'

/** What preceded the run: the user's changes, and what ran it without a click. */
export function Preface() {
  const { entry } = useCall()
  return (
    <>
      <CallChanges onUndo={null} />
      {entry.record ? <RanWithoutClick record={entry.record} /> : null}
    </>
  )
}

/** The file changes, if the run had its own layer. */
export function FilesLine({ files }: { files: FileChanges | undefined }) {
  const sentence = filesSentence(files)
  return sentence === '' ? null : (
    <Meta>
      <Fact>
        <SentenceText text={sentence} />
      </Fact>
    </Meta>
  )
}

/** An outcome that the server does not have yet. */
export function Unstored() {
  const {
    entry: { problem },
    decide,
  } = useCall()
  if (!problem) return null
  return (
    <CardFoot look="sentence">
      <p className="text-sm text-pretty text-danger" role="alert">
        <SentenceText text={problem} />
      </p>
      <Button className={cx('ms-auto narrow:m-0', footButton)} onClick={decide.tell}>
        {t('settled.try-again')}
      </Button>
    </CardFoot>
  )
}

/** The call, one press away, for a line of links. */
export function ShowCall() {
  const { entry, summary } = useCall()
  const [open, setOpen] = useState(false)
  return (
    <>
      <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'settled.hide-call' : 'settled.show-call')}
      </TextButton>
      {open ? (
        <div className="-mx-3.5 basis-full">
          <CallEvidence summary={summary} args={entry.call.arguments} />
        </div>
      ) : null}
    </>
  )
}

/** The user's edits to the result before it was sent. */
export function ReleasedNote({ release, posted }: { release: ResultRelease | null; posted: boolean }) {
  if (release === null || (release.kind === 'sent' && release.note === '')) return null
  return (
    <>
      {release.kind === 'changed' ? (
        <Sentence
          parts={[
            t('settled.changed', {
              changes: release.changes.map((change) => t(`settled.change.${change}`)),
              posted,
            }),
          ]}
        />
      ) : null}
      {release.note === '' ? null : (
        <Meta>
          <Fact>
            <SentenceText text={t('settled.note', { note: release.note })} />
          </Fact>
        </Meta>
      )}
    </>
  )
}

type SentState = Pick<CallEntry, 'sentAsUnfinished' | 'record'>

/**
 * What the model knows of a call that the user did not wait for, based on what was sent; null for any other call. Its
 * result may have arrived since: the next message then carries it.
 */
export function unfinishedResultText({ sentAsUnfinished, record }: SentState): string | null {
  if (!sentAsUnfinished) return null
  if (sentAsUnfinished.late) return t('settled.wrote-on.late')
  return t(record?.outcome ? 'settled.wrote-on.ended' : 'settled.wrote-on.open')
}

/**
 * `told`: shown once the results were posted. If an outcome is lost, it is unknown whether the model was informed
 * before.
 */
export function sentResultText(entry: SentState, posted: boolean, modelText: string): string {
  const unfinished = unfinishedResultText(entry)
  if (unfinished !== null) return unfinished
  if (!posted) return t('settled.untold')
  return entry.record?.unreadable?.includes('outcome') ? t('settled.told-then') : modelText
}

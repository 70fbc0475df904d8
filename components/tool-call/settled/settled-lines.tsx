'use client'

import { Button } from '@/components/ui/button'
import { SentenceText } from '@/components/ui/foreign-text'
import { lazyPart } from '@/components/ui/lazy-part'
import type { FileChanges } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { filesSentence } from '../changed-files'
import { CallChanges } from '../edit/call-changes'
import { RanAlone } from './ran-alone'
import { cx } from '@/components/ui/recipes/recipe'
import { footButton } from '../styles/card'
import { CardFoot, Meta, Fact } from '../styles/card-parts'

const LazyUndo = lazyPart(() => import('../changes/call-undo'), {
  what: () => t('settled.part-undo'),
  look: 'line',
})

/** The way back, for every call that changed files: the history says so, whatever the tool declares. */
export function UndoLine() {
  const { conversationId, messageId, entry } = useCall()
  return <LazyUndo conversationId={conversationId} messageId={messageId} slot={entry.slot} />
}

/** What came before the run: the user's changes, and what ran it where no click did. */
export function Preface() {
  const { entry } = useCall()
  return (
    <>
      <CallChanges onUndo={null} />
      {entry.record ? <RanAlone record={entry.record} /> : null}
    </>
  )
}

/** What became of the files, where the run had a layer of its own. */
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

'use client'

import { useState } from 'react'
import { useChatActions, useConversation } from '@/components/context/chat-context'
import { Icon } from '@/components/ui/controls/icon'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { cx } from '@/components/ui/recipes/recipe'
import { TextButton } from '@/components/ui/controls/button'
import { noMarks, withoutCompaction, type Compaction } from '@/lib/shared/conversation/settings/context-marks'
import { t } from '@/lib/i18n/t'
import { sharedContentBy } from './count-tokens'

const FreeSpaceDialog = lazyPart(() => import('./free-space-dialog'), {
  what: () => t('room.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** Marks where the sent part begins: how much above is left out, its summary, and the way to undo it. */
export default function CompactionLine({ compaction }: { readonly compaction: Compaction }) {
  const at = useConversation((view) => view.path.findIndex(({ id }) => id === compaction.through))
  const path = useConversation((view) => view.path)
  const marks = useConversation((view) => view.conversation?.marks) ?? noMarks
  const { updateMarks } = useChatActions()
  const [isChanging, setChanging] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // Up to the first message that is sent; later messages change nothing here.
  const { leaves, stays } = sharedContentBy(path.slice(0, at + 2), compaction.through, compaction.summary, marks.pinned)
  const undo = async () => {
    const why = await updateMarks(withoutCompaction(marks, compaction.madeAt))
    setProblem(why === null ? null : t('line.not-undone', { why }))
  }
  return (
    <section className={line} aria-label={t('line.label')}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-pretty [&>svg]:flex-none">
        <Icon name="cut" />
        {t('line.cut', { messages: leaves.length, pinned: stays.length })}
        <TextButton onClick={() => setChanging(true)}>{t('line.change')}</TextButton>
        <TextButton onClick={() => void undo()}>{t('line.undo')}</TextButton>
      </p>
      {compaction.summary === '' ? null : (
        <details className="mt-1">
          <summary className="cursor-pointer">{t('line.summary')}</summary>
          <div className="mt-1 border-s-2 border-line ps-3 wrap-anywhere whitespace-pre-wrap" dir="auto">
            <SentenceText text={compaction.summary} />
          </div>
        </details>
      )}
      {problem === null ? null : (
        <p role="alert" className="mt-1 text-danger">
          <SentenceText text={problem} />
        </p>
      )}
      {isChanging ? <FreeSpaceDialog change={compaction} onClose={() => setChanging(false)} /> : null}
    </section>
  )
}

const line = cx('mb-6 border-y border-dashed border-line-strong py-2 text-sm text-muted')

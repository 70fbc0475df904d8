'use client'

import { useState, useSyncExternalStore } from 'react'
import { useChatActions } from '@/components/context/chat-context'
import { Button, IconButton } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { cx } from '@/components/ui/recipes/recipe'
import { floating } from '@/components/ui/recipes/surface'
import type { Deletion } from '@/lib/client/api/deletions'
import { deletionsOf } from '@/lib/client/wiring/deletions.browser'

const none: readonly Deletion[] = []

/** Offers to undo a recent deletion, over the page. */
export default function UndoBar() {
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-[max(--spacing(4),env(safe-area-inset-bottom))] z-float flex justify-center px-4">
      <UndoNote className={cx(floating(), 'pointer-events-auto px-3 py-2')} />
    </div>
  )
}

/** The same as a line inside a dialog, which makes the rest of the page inert. */
export function UndoNote({ className }: { className?: string }) {
  const made = deletionsOf(useChatActions())
  const open = useSyncExternalStore(made.subscribe, made.open, () => none)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const last = open.at(-1)
  const undo = async (deletion: Deletion) => {
    setBusy(true)
    setProblem(await made.undo(deletion))
    setBusy(false)
  }
  const dismissUndo = () => {
    setProblem(null)
    if (last) made.dismiss(last)
  }
  return (
    <div role="status">
      {last || problem !== null ? (
        <div className={cx('flex flex-wrap items-center gap-2', className)} key={last?.until}>
          {last ? (
            <span>
              {last.messageIn === undefined ? t('list.deleted', { count: last.ids.length }) : t('thread.deleted')}
            </span>
          ) : null}
          {problem === null ? null : last ? (
            <span className="text-danger">
              <SentenceText text={last.messageIn === undefined ? t('list.not-restored', { why: problem }) : problem} />
            </span>
          ) : (
            <SentenceText text={problem} />
          )}
          {busy ? <Wait what={t('wait.undelete')} /> : null}
          {last ? (
            <Button disabled={busy} onClick={() => void undo(last)}>
              {t('list.undo')}
            </Button>
          ) : null}
          <IconButton size="xs" icon="cross" label={t('list.let-go')} onClick={dismissUndo} />
        </div>
      ) : null}
    </div>
  )
}

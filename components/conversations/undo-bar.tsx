'use client'

import { useState, useSyncExternalStore } from 'react'
import { useChatActions } from '@/components/context/chat-context'
import { Button } from '@/components/ui/button'
import { SaidText } from '@/components/ui/foreign-text'
import { IconButton } from '@/components/ui/icon-button'
import { Wait } from '@/components/ui/wait'
import { waitSentence } from '@/lib/words/waits'
import { cx } from '@/components/ui/recipes/recipe'
import { floating } from '@/components/ui/recipes/surface'
import type { Deletion } from '@/lib/client/deletions'
import { deletionsOf } from '@/lib/wiring/deletions.browser'
import { listSentence } from '@/lib/words/chat-list'

const none: readonly Deletion[] = []

/** What was deleted a moment ago, and the way back; over the page, whatever of it is open. */
export default function UndoBar() {
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
  return (
    <div
      className="pointer-events-none fixed inset-x-0 bottom-[max(--spacing(4),env(safe-area-inset-bottom))] z-float flex justify-center px-4"
      role="status"
    >
      {last ? (
        <div
          className={cx(floating(), 'pointer-events-auto flex flex-wrap items-center gap-2 px-3 py-2')}
          key={last.until}
        >
          <span>{listSentence('list.deleted', { count: last.ids.length })}</span>
          {problem === null ? null : (
            <span className="text-danger">
              <SaidText text={listSentence('list.not-restored', { why: problem })} />
            </span>
          )}
          {busy ? <Wait what={waitSentence('wait.undelete')} /> : null}
          <Button disabled={busy} onClick={() => void undo(last)}>
            {listSentence('list.undo')}
          </Button>
          <IconButton
            size="xs"
            icon="cross"
            label={listSentence('list.let-go')}
            onClick={() => {
              setProblem(null)
              made.dismiss(last)
            }}
          />
        </div>
      ) : problem === null ? null : (
        <div className={cx(floating(), 'pointer-events-auto flex items-center gap-2 px-3 py-2')}>
          <SaidText text={problem} />
          <IconButton size="xs" icon="cross" label={listSentence('list.let-go')} onClick={() => setProblem(null)} />
        </div>
      )}
    </div>
  )
}

'use client'

import { useSyncExternalStore } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Spinner } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import QuoteSelection from '../quote-selection'
import { writtenBeside } from './use-compare'

const CompareDialog = lazyPart(() => import('./compare-dialog'), {
  what: () => t('compare.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

let compared: string | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Opens the comparison of a reply's versions. */
export function openCompare(replyId: string | null): void {
  compared = replyId
  for (const listener of listeners) listener()
}

/**
 * Dialogs over the thread. The comparison is not inside a message, because its reply leaves the thread while another is
 * written.
 */
export default function OverThread({ log }: { readonly log: HTMLElement }) {
  const replyId = useSyncExternalStore(
    subscribe,
    () => compared,
    () => null,
  )
  const isHere = useConversation((view) => replyId !== null && view.tree.has(replyId))
  const written = useConversation((view) => writtenBeside(view)?.count ?? 0)
  const beside = useConversation((view) => writtenBeside(view)?.replyId ?? null)
  return (
    <>
      <QuoteSelection log={log} />
      {beside !== null && !isHere ? (
        <p className="flex flex-wrap items-center gap-2 pt-3 text-sm text-muted" role="status">
          <Spinner /> {t('compare.writing', { count: written })}
          <Button onClick={() => openCompare(beside)}>{t('compare.show')}</Button>
        </p>
      ) : null}
      {replyId !== null && isHere ? <CompareDialog replyId={replyId} onClose={() => openCompare(null)} /> : null}
    </>
  )
}

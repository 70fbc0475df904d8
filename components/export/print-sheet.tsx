'use client'

import { useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import { ForeignText } from '@/components/ui/foreign-text'
import type { ReadableChat } from '@/lib/shared/conversation/readable/readable-chat'
import { t } from '@/lib/i18n/t'
import { ReadableThread } from './readable-thread'

export interface PrintSheetProps {
  readonly chat: ReadableChat
  readonly onDone: () => void
  readonly print?: () => void
}

/**
 * A whole chat for paper, in the place of the page that holds only what is in view of it. The browser's dialog opens by itself; the
 * sheet goes when that is closed.
 */
export function PrintSheet({ chat, onDone, print = printPage }: PrintSheetProps) {
  const done = useEffectEvent(onDone)
  const start = useEffectEvent(print)
  useEffect(() => {
    const onAfter = () => done()
    window.addEventListener('afterprint', onAfter)
    // Two frames: what was just put in is laid out then.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => start())
    })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('afterprint', onAfter)
    }
  }, [])
  return createPortal(
    <div data-print-sheet="" className="hidden print:block">
      <h1 className="mb-6 text-xl font-strong">
        {chat.title === '' ? t('readable.untitled') : <ForeignText text={chat.title} reading="prose" />}
      </h1>
      <ReadableThread chat={chat} isOpen />
    </div>,
    document.body,
  )
}

const printPage = () => window.print()

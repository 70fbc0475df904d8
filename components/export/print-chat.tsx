'use client'

import { useEffect, useEffectEvent, useCallback, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { overPage } from '@/components/ui/page/part-failure'
import { notice, row } from '@/components/ui/recipes/surface'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '@/components/ui/page/wait'
import type { NodApi } from '@/lib/client/api/nod-api'
import {
  onlyShown,
  type ReadableChat,
  nothingShown,
  type ShownParts,
} from '@/lib/shared/conversation/readable/readable-chat'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { t } from '@/lib/i18n/t'
import { createPortal } from 'react-dom'
import { ReadableThread } from './readable-thread'
import { pageBroke } from '@/lib/client/api/api-failure'
import { readableChatOf } from '@/lib/client/wiring/readable-chat.browser'

/** Included in the user's own copy: everything except what others could see by mistake. */
export const forMyself: ShownParts = { ...nothingShown, arguments: true, results: true, files: true }

interface PrintSheetProps {
  readonly chat: ReadableChat
  readonly onDone: () => void
  readonly print?: () => void
}

/**
 * A whole chat for printing; it replaces the page, which renders only the visible messages. Opens the browser's print
 * dialog, and closes after it.
 */
export function PrintSheet({ chat, onDone, print = printPage }: PrintSheetProps) {
  const done = useEffectEvent(onDone)
  const start = useEffectEvent(print)
  useEffect(() => {
    const onAfter = () => done()
    window.addEventListener('afterprint', onAfter)
    // Waits two frames for the layout.
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

export interface PrintChatProps {
  readonly conversationId: string
  readonly onClose: () => void
  readonly api?: Pick<NodApi, 'exportChat'>
  readonly print?: () => void
}

/** Handles the browser's print key: loads the whole chat, then prints it. */
export default function PrintChat({ conversationId, onClose, api = nodApi, print }: PrintChatProps) {
  useLanguage()
  const { readable, readAgain } = useReadable(conversationId, api)
  const close = useEffectEvent(onClose)
  const isEmpty = readable.kind === 'read' && readable.chat.messages.length === 0
  useEffect(() => {
    if (isEmpty) close()
  }, [isEmpty])
  switch (readable.kind) {
    case 'reading':
      return (
        <Wait what={t('out.print.reading')} className={notice({ size: 'banner' }, overPage)}>
          <Button onClick={onClose}>{t('out.print.cancel')}</Button>
        </Wait>
      )
    case 'failed':
      return (
        <div className={notice({ tone: 'bad', size: 'banner' }, overPage)} role="alert">
          <p className="min-w-0 flex-1">
            <SentenceText text={t('out.print.failed', { why: readable.why })} />
          </p>
          <div className={row()}>
            <Button onClick={readAgain}>{t('out.again')}</Button>
            <Button onClick={onClose}>{t('out.close')}</Button>
          </div>
        </div>
      )
    case 'read':
      return isEmpty ? null : (
        <PrintSheet chat={onlyShown(readable.chat, forMyself)} onDone={onClose} {...(print && { print })} />
      )
  }
}

type Readable =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'read'; readonly chat: ReadableChat; readonly isWriting: boolean }

/** A whole chat in readable form, with a function to load it again. */
export function useReadable(
  conversationId: string,
  api: Pick<NodApi, 'exportChat'>,
): { readonly readable: Readable; readonly readAgain: () => void } {
  const [readable, setReadable] = useState<Readable>({ kind: 'reading' })
  const isReading = readable.kind === 'reading'
  useEffect(() => {
    if (!isReading) return
    const controller = new AbortController()
    const { signal } = controller
    const read = async (): Promise<Readable> => {
      const exported = await api.exportChat(conversationId, signal)
      if (!exported.ok) return { kind: 'failed', why: exported.error.message }
      const chat = await readableChatOf(exported.value)
      const last = chat.messages.at(-1)
      return { kind: 'read', chat, isWriting: last?.by === 'model' && last.ended === null }
    }
    void read()
      .catch((): Readable => ({ kind: 'failed', why: pageBroke().message }))
      .then((result) => (signal.aborted ? undefined : setReadable(result)))
    return () => controller.abort()
  }, [conversationId, api, isReading])
  const readAgain = useCallback(() => setReadable({ kind: 'reading' }), [])
  return { readable, readAgain }
}

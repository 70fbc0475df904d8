'use client'

import { useEffect, useEffectEvent } from 'react'
import { Button } from '@/components/ui/button'
import { SentenceText } from '@/components/ui/foreign-text'
import { overPage } from '@/components/ui/part-failure'
import { notice } from '@/components/ui/recipes/note'
import { row } from '@/components/ui/recipes/surface'
import { useLanguage } from '@/components/ui/use-language'
import { Wait } from '@/components/ui/wait'
import type { NodApi } from '@/lib/client/api/nod-api'
import { onlyShown } from '@/lib/shared/conversation/readable/readable-chat'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { t } from '@/lib/i18n/t'
import { forMyself } from './for-myself'
import { PrintSheet } from './print-sheet'
import { useReadable } from './use-readable'

export interface PrintChatProps {
  readonly conversationId: string
  readonly onClose: () => void
  readonly api?: Pick<NodApi, 'exportChat'>
  readonly print?: () => void
}

/** The browser’s key to print: all of the chat is read, and then printed. */
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

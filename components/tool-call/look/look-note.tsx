'use client'

import { useEffect, useState } from 'react'
import { useCallActions } from '@/components/context/chat-context'
import { TextButton } from '@/components/ui/controls/button'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { field } from '@/components/ui/recipes/field'
import { useLanguage } from '@/components/ui/page/use-language'
import { withBase } from '@/lib/base/base-path'
import { openCallLinks } from '@/lib/client/wiring/looks.browser'
import { t } from '@/lib/i18n/t'

/** How often the page asks the server whether another device has answered. */
const ASK_MS = 3_000

interface CallLinkNoteProps {
  readonly messageId: string
  readonly slot: number
  readonly token: string
  /** The call still waits in this tab. */
  readonly waits: boolean
}

/**
 * The link to a call for another device. While it is shown, this page receives the answer, and runs what was approved.
 */
export default function CallLinkNote({ messageId, slot, token, waits }: CallLinkNoteProps) {
  useLanguage()
  const { hearOfLook } = useCallActions()
  const [address] = useState(() => new URL(withBase(`/look/${token}`), window.location.href).href)
  useEffect(() => {
    let busy = false
    const ask = async () => {
      if (busy) return
      busy = true
      const isOver = await hearOfLook(messageId, slot)
      busy = false
      if (isOver) openCallLinks.end(messageId, slot)
    }
    void ask()
    const timer = setInterval(() => void ask(), ASK_MS)
    return () => clearInterval(timer)
  }, [hearOfLook, messageId, slot])
  if (!waits) return null
  return (
    <div className="border-t border-line px-3.5 py-3 text-sm narrow:px-3">
      <p className="text-pretty text-muted">{t('look.waits')}</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          className={field({}, 'min-w-0 flex-1 basis-64 font-mono')}
          aria-label={t('look.link')}
          readOnly
          value={address}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton text={() => address} />
        <TextButton onClick={() => openCallLinks.end(messageId, slot)}>{t('look.close')}</TextButton>
      </div>
    </div>
  )
}

'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { TextButton } from '@/components/ui/controls/button'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { field } from '@/components/ui/recipes/field'
import { useLanguage } from '@/components/ui/page/use-language'
import { withBase } from '@/lib/base/base-path'
import { t } from '@/lib/i18n/t'

/** How often the page asks the server whether another device has answered. */
const ASK_MS = 3_000

interface LinkNoteProps {
  readonly token: string
  /** It still waits in this tab. */
  readonly waits: boolean
  /** What the link is for, and what this browser does. */
  readonly about: string
  /** Asks for the answer, and carries it out; true: there is nothing more to ask for. */
  readonly ask: () => Promise<boolean>
  readonly onEnd: () => void
}

/** A link for another device. While it is shown, this page receives the answer, and carries it out. */
export default function LinkNote({ token, waits, about, ask, onEnd }: LinkNoteProps) {
  useLanguage()
  const [address] = useState(() => new URL(withBase(`/look/${token}`), window.location.href).href)
  const look = useEffectEvent(async () => {
    if (await ask()) onEnd()
  })
  useEffect(() => {
    let busy = false
    const once = async () => {
      if (busy) return
      busy = true
      await look().finally(() => (busy = false))
    }
    void once()
    const timer = setInterval(() => void once(), ASK_MS)
    return () => clearInterval(timer)
  }, [])
  if (!waits) return null
  return (
    <div className="border-t border-line px-3.5 py-3 text-sm narrow:px-3">
      <p className="text-pretty text-muted">{about}</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          className={field({}, 'min-w-0 flex-1 basis-64 font-mono')}
          aria-label={t('look.link')}
          readOnly
          value={address}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton text={() => address} />
        <TextButton onClick={onEnd}>{t('look.close')}</TextButton>
      </div>
    </div>
  )
}

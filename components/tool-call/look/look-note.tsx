'use client'

import { useEffect, useEffectEvent, useState, type FormEvent } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { Wait } from '@/components/ui/page/wait'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { field } from '@/components/ui/recipes/field'
import { useLanguage } from '@/components/ui/page/use-language'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { withBase } from '@/lib/base/base-path'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { hasReviewers } from '@/lib/client/wiring/nod-api.browser'
import { callLinkApi } from '@/lib/client/wiring/looks.browser'
import { t } from '@/lib/i18n/t'

/** How often the page asks the server whether another device has answered. */
const ASK_MS = 3_000

interface LinkNoteProps {
  /** As it is stored (`linkText`). */
  readonly link: string
  /** It still waits in this tab. */
  readonly waits: boolean
  readonly of: 'call' | 'copy'
  /** Asks for the answer, and carries it out; true: there is nothing more to ask for. */
  readonly ask: () => Promise<boolean>
  /** Makes a link for this reviewer in place of this one. Returns a sentence if there is none. */
  readonly make: (reviewer: string) => Promise<string | null>
  readonly onEnd: () => void
}

/** A link for another device or a reviewer. While it is shown, this page receives the answer, and carries it out. */
export default function LinkNote({ link, waits, of, ask, make, onEnd }: LinkNoteProps) {
  useLanguage()
  const [token = '', review = null, ...words] = link.split(' ')
  const address = new URL(withBase(`/look/${review ?? token}`), window.location.href).href
  const [problem, setProblem] = useState<string | null>(null)
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
  const end = async () => {
    const ended = review === null ? null : await callLinkApi.end(review)
    if (ended?.ok === false) setProblem(t('look.not-ended', { why: ended.error.message }))
    else onEnd()
  }
  return (
    <div className="border-t border-line px-3.5 py-3 text-sm narrow:px-3">
      <p className="text-pretty text-muted">
        <SentenceText
          text={
            review === null
              ? t(of === 'call' ? 'look.waits' : 'look.copy-waits')
              : t(`look.review-${of}`, { address: asUntrusted(words.join(' ')) })
          }
        />
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          className={field({}, 'min-w-0 flex-1 basis-64 font-mono')}
          aria-label={t(review === null ? 'look.link' : 'look.review-link')}
          readOnly
          value={address}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton text={() => address} />
        <TextButton onClick={() => void end()}>{t(review === null ? 'look.close' : 'look.end')}</TextButton>
      </div>
      {hasReviewers && review === null ? <ForReviewer make={make} onProblem={setProblem} /> : null}
      {problem === null ? null : (
        <p className="mt-2 text-danger" role="alert">
          <SentenceText text={problem} />
        </p>
      )}
    </div>
  )
}

interface ForReviewerProps extends Pick<LinkNoteProps, 'make'> {
  readonly onProblem: (problem: string | null) => void
}

/** Names the account that may open the link in place of the user's other devices. */
function ForReviewer({ make, onProblem }: ForReviewerProps) {
  const [address, setAddress] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    onProblem(await make(address.trim()))
    setBusy(false)
  }
  return (
    <form className="mt-3 flex flex-wrap items-end gap-x-4 gap-y-2" onSubmit={(event) => void submit(event)}>
      <label className="min-w-0 flex-1 basis-64">
        <span className="text-muted">{t('look.reviewer')}</span>
        <input
          className={field({}, 'mt-1')}
          autoComplete="off"
          maxLength={254}
          value={address}
          onChange={({ currentTarget }) => setAddress(currentTarget.value)}
        />
      </label>
      <Button type="submit" disabled={busy || address.trim() === ''}>
        {t('look.review-make')}
      </Button>
      {busy ? <Wait className="basis-full" what={t('look.review-making')} /> : null}
    </form>
  )
}

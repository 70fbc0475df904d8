'use client'

import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Wait } from '@/components/ui/wait'
import { field } from '@/components/ui/recipes/field'
import { t } from '@/lib/i18n/t'
import { unsent } from '@/lib/client/wiring/unsent.browser'
import { cardFoot, footButton } from '../styles/card'
import { useCall } from '../scope/call-scope'

export interface ReasonFieldProps {
  /** What its button says. */
  readonly submit: string
  readonly onSay: (reason: string) => void
  readonly onBack: () => void
  /** What it is about: by that the words are kept over a reload. */
  readonly about?: string
  readonly isBusy?: boolean
  /** Beside the buttons, once the words can't go this way any more. */
  readonly instead?: ((reason: string) => ReactNode) | null
}

/** Asks why, for the model. Opened by the user, so the field takes the focus; Enter says it, Esc goes back. */
export function ReasonField({ submit, onSay, onBack, about, isBusy = false, instead = null }: ReasonFieldProps) {
  const name = about === undefined ? null : `reason:${about}`
  const [reason, setReason] = useState(() => (name === null ? '' : (unsent.get(name) ?? '')))
  const keep = (text: string | null) => name !== null && unsent.set(name, text)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <form
      data-part="foot"
      className={cardFoot()}
      onSubmit={(event) => {
        event.preventDefault()
        if (isBusy || instead) return
        keep(null)
        onSay(reason.trim())
      }}
    >
      <input
        className={field({}, 'w-auto flex-[1_1_14rem] narrow:h-touch narrow:basis-full narrow:text-lg/[inherit]')}
        aria-label={t('card.reason')}
        placeholder={t('card.reason-hint')}
        maxLength={2000}
        ref={input}
        value={reason}
        onChange={(event) => {
          setReason(event.target.value)
          keep(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Nor does it close a dialog that this stands in.
          event.preventDefault()
          event.stopPropagation()
          onBack()
        }}
      />
      {instead?.(reason.trim()) ?? (
        <Button type="submit" className={footButton} disabled={isBusy}>
          {submit}
        </Button>
      )}
      <Button look="quiet" className={footButton} onClick={onBack}>
        {t('card.back')}
      </Button>
      {isBusy ? <Wait what={t('wait.decision')} /> : null}
    </form>
  )
}

/** The reason for a denial that is about to be made. */
export function DenyWithReason({ decide, onBack }: { decide: { deny: (reason: string) => void }; onBack: () => void }) {
  const { messageId, entry } = useCall()
  return (
    <ReasonField about={`${messageId}:${entry.slot}`} submit={t('card.deny')} onSay={decide.deny} onBack={onBack} />
  )
}

'use client'

import { Button } from '@/components/ui/controls/button'
import { Kbd } from '@/components/ui/controls/kbd'
import { MenuButton, type MenuItem } from '@/components/ui/popups/menu'
import { cx } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'
import { footButton, footGo, footWide, cardFoot } from '../styles/card'
import { isBeingChecked, useCall } from '../scope/call-scope'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Spinner, useLongWait, Wait } from '@/components/ui/page/wait'
import { field } from '@/components/ui/recipes/field'
import { unsent } from '@/lib/client/wiring/unsent.browser'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { isLoudInBatch } from '@/lib/shared/origin/branch-origin'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import { useCodeOf } from '../words/tool-name'
import { note } from '@/components/ui/recipes/surface'

// The decisions on a waiting call; key hints are shown only on the current card.

/**
 * Primary if it is the screen's main decision, and the call is the user's own idea. `tight`: inside a card's line,
 * without space for a key hint.
 */
export function RunButton({ tight = false }: { tight?: boolean }) {
  const { current, filled, decide, entry, isRunTried } = useCall()
  const isHeld = isBeingChecked(entry)
  const waits = useLongWait(isHeld) || (isHeld && isRunTried)
  return (
    <Button
      look={filled && !isLoudInBatch(entry.origin) ? 'go' : 'go-next'}
      className={cx(tight ? undefined : cx(footGo, footWide), waits && 'cursor-progress opacity-60')}
      aria-disabled={isHeld}
      aria-keyshortcuts="Meta+Enter Control+Enter"
      onClick={decide.run}
    >
      {t('card.run')} {tight ? null : waits ? <Spinner /> : current ? <Kbd keys="mod+enter" /> : null}
    </Button>
  )
}

/** Says why Run takes no press yet, or that it does now; '' for nothing. A short check is not mentioned, unless Run was pressed. */
export function useCheckingText(): string {
  const { entry, isRunTried } = useCall()
  const isHeld = isBeingChecked(entry)
  const isLong = useLongWait(isHeld)
  if (isRunTried) return t(isHeld ? 'card-origin.run-held' : 'card-origin.run-ready')
  return isLong ? t('card-origin.checking') : ''
}

export const CheckingNote = () => (
  <span className="text-sm text-muted" role="status">
    {useCheckingText()}
  </span>
)

/** `label`: "Deny" by default. */
export function DenyButton({ tight = false, label }: { tight?: boolean; label?: string }) {
  const { current, decide } = useCall()
  return (
    <Button
      className={tight ? undefined : cx(footButton, footWide)}
      aria-keyshortcuts="Meta+Backspace Control+Backspace"
      onClick={() => decide.deny('')}
    >
      {label ?? t('card.deny')} {current && !tight ? <Kbd keys="mod+backspace" /> : null}
    </Button>
  )
}

export const EditButton = ({ className, onClick }: { className: string; onClick: () => void }) => (
  <Button className={className} aria-keyshortcuts="E" onClick={onClick}>
    {t('card.edit')}
  </Button>
)

/** Everything that is not a decision. */
export const MoreMenu = ({ label, items }: { label: string; items: readonly MenuItem[] }) => (
  <MenuButton icon="more" label={label} items={items} className="pointer-coarse:size-touch" />
)

export interface ReasonFieldProps {
  /** The button's label. */
  readonly submit: string
  readonly onSay: (reason: string) => void
  readonly onBack: () => void
  /** The key that keeps the text across a reload. */
  readonly about?: string
  readonly isBusy?: boolean
  /** Shown beside the buttons when the text can no longer be sent this way. */
  readonly instead?: ((reason: string) => ReactNode) | null
}

/** Asks for a reason, for the model. The user opened it, so the field takes the focus; Enter submits, Esc cancels. */
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
          // Also prevents closing the surrounding dialog.
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

/** Asks for the reason before denying. */
export function DenyWithReason({ decide, onBack }: { decide: { deny: (reason: string) => void }; onBack: () => void }) {
  const { messageId, entry } = useCall()
  return (
    <ReasonField about={`${messageId}:${entry.slot}`} submit={t('card.deny')} onSay={decide.deny} onBack={onBack} />
  )
}

/** The form for a call, loaded on first use. */
export const LazyCallEditor = lazyPart(() => import('../edit/call-editor'), {
  what: () => t('card-edit.part'),
  loading: () => <p className={note({ place: 'inset' })}>{t('card-edit.loading')}</p>,
  close: ({ onCancel }) => onCancel,
})

/** A card's editor. It closes when the change is stored. `nearest`: the tool can be changed, these names first. */
export function EditPanel({ nearest }: { nearest: readonly string[] | null }) {
  const { messageId, entry, tools, decide, setPanel } = useCall()
  const codeOf = useCodeOf()
  const { call } = entry
  const close = () => setPanel(null)
  const save = async (next: CallToWrite) => {
    const refused = await decide.amend(next)
    if (refused === null) close()
    return refused
  }
  return (
    <LazyCallEditor
      call={{ name: call.name, arguments: call.arguments }}
      tools={tools}
      nearest={nearest}
      codeOf={codeOf}
      keptAs={`arguments:${messageId}:${entry.slot}`}
      onSave={save}
      onCancel={close}
    />
  )
}

'use client'

import { useCallback, useEffect, useState } from 'react'
import { readersLanguage } from '@/lib/base/text/languages'
import { t } from '@/lib/i18n/t'
import { Icon } from './icon'
import { iconButton } from '../recipes/button'
import { TextButton } from './button'

export interface CopyButtonProps {
  /** Called only when the button is pressed. */
  readonly text: () => string
  readonly look?: 'text' | 'icon'
  readonly label?: string
  readonly className?: string | undefined
}

export type CopyState = 'idle' | 'copied' | 'refused'

/** How long the confirmation or error of a copy is shown. */
const copiedNoticeMs = 1_600

/** Copies, and confirms it for a moment; says when the browser did not allow it. */
export function CopyButton({ text, look = 'text', label = t('control.copy'), className }: CopyButtonProps) {
  const [state, say] = useForAMoment<CopyState>('idle')
  const copy = () => {
    copyText(text()).then(
      () => say('copied'),
      () => say('refused'),
    )
  }
  if (look === 'icon') return <CopyIcon state={state} label={label} className={className} onCopy={copy} />
  // Inside a line of text; English then uses lower case.
  const name = readersLanguage() === 'en' ? label.toLowerCase() : label
  return (
    <TextButton className={className} onClick={copy}>
      {wordsOf(state) ?? name}
    </TextButton>
  )
}

export interface CopyIconProps {
  readonly state: CopyState
  readonly label?: string
  readonly disabled?: boolean
  /** `sm`: under a message. */
  readonly size?: 'sm' | 'xs' | undefined
  readonly className?: string | undefined
  readonly onCopy: () => void
}

export function CopyIcon(props: CopyIconProps) {
  const { state, label = t('control.copy'), disabled = false, size, className, onCopy } = props
  return (
    <button
      type="button"
      className={iconButton({ size }, className)}
      aria-label={label}
      data-tip={wordsOf(state) ?? label}
      disabled={disabled}
      onClick={onCopy}
    >
      <Icon name={state === 'copied' ? 'ok' : state === 'refused' ? 'cross' : 'copy'} />
    </button>
  )
}

const wordsOf = (state: CopyState): string | null =>
  state === 'idle' ? null : t(state === 'copied' ? 'control.copied' : 'control.not-copied')

/** A state that resets by itself. */
export function useForAMoment<T>(usual: T): [T, (now: T) => void] {
  // An object, so that setting the same value again restarts it.
  const [copied, setCopied] = useState<{ readonly now: T } | null>(null)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(null), copiedNoticeMs)
    return () => clearTimeout(timer)
  }, [copied])
  const say = useCallback((now: T) => setCopied({ now }), [])
  return [copied ? copied.now : usual, say]
}

/** Rejects if the browser has no clipboard for pages (plain http) or refuses. */
export async function copyText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('This page may not use the clipboard.')
  await navigator.clipboard.writeText(text)
}

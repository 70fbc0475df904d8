'use client'

import { useEffect, useState } from 'react'
import { Icon } from './icon'
import { iconButton } from './recipes/button'
import { TextButton } from './text-button'

export interface CopyButtonProps {
  /** Asked only when the button is pressed. */
  readonly text: () => string
  readonly look?: 'text' | 'icon'
  readonly label?: string
  /** Of the icon. */
  readonly size?: 'sm' | 'xs'
  readonly className?: string
}

const saidForMs = 1_600

/** Copies, and says so for a moment; says when the browser did not let it. */
export function CopyButton({ text, look = 'text', label = 'Copy', size, className }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')

  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), saidForMs)
    return () => clearTimeout(timer)
  }, [state])

  const copy = () => {
    copyText(text()).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  }
  const words = state === 'copied' ? 'copied' : state === 'refused' ? 'not allowed' : label.toLowerCase()
  if (look === 'text')
    return (
      <TextButton className={className} onClick={copy}>
        {words}
      </TextButton>
    )
  return (
    <button
      type="button"
      className={`icon ${iconButton({ size }, className)}`}
      aria-label={label}
      title={state === 'idle' ? label : words}
      onClick={copy}
    >
      <Icon name={state === 'copied' ? 'ok' : state === 'refused' ? 'cross' : 'copy'} />
    </button>
  )
}

/** Rejects where the browser has no clipboard for pages (plain http) or refuses. */
async function copyText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('This page may not use the clipboard.')
  await navigator.clipboard.writeText(text)
}

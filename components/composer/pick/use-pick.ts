'use client'

import { useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { PickHostProps } from './pick-host'
import type { PickKeys } from './options'
import { pickTrigger } from './pick-trigger'

interface Pick {
  /** Updates the trigger to the field's cursor. */
  readonly follow: () => void
  /** Whether the list handled the key. */
  readonly takes: (event: KeyboardEvent) => boolean
  /** Null until the first trigger, so that no pick code loads before. */
  readonly host: Omit<PickHostProps, 'onAttach'> | null
}

/** Handles `/` and `@` in the message field. `change` sets the field's text. */
export function usePick(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  change: (text: string) => void,
): Pick {
  const [caret, setCaret] = useState(0)
  const [isUsed, setUsed] = useState(false)
  const keys = useRef<PickKeys>(null)
  const trigger = pickTrigger(text, caret)
  if (trigger && !isUsed) setUsed(true)

  const onInsert: PickHostProps['onInsert'] = (at, words) => {
    const element = field.current
    const now = element?.value ?? text
    // The result may arrive after the text has changed.
    const isThere = pickTrigger(now.slice(0, at.end), at.end)?.query === at.query
    if (!isThere && words === '') return
    const before = isThere ? now.slice(0, at.start) : now && `${now.trimEnd()}\n\n`
    change(`${before}${words}${isThere ? now.slice(at.end) : ''}`)
    const end = before.length + words.length
    setCaret(end)
    requestAnimationFrame(() => {
      element?.focus()
      element?.setSelectionRange(end, end)
    })
  }
  return {
    follow: () => setCaret(field.current?.selectionStart ?? 0),
    takes: (event) => trigger !== null && (keys.current?.(event) ?? false),
    host: isUsed ? { trigger, field, keys, onInsert } : null,
  }
}

'use client'

import { useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { PickHostProps } from './pick-host'
import type { PickKeys } from './options'
import { pickTrigger } from './pick-trigger'

interface Pick {
  /** The cursor stands where the field has it now. */
  readonly follow: () => void
  /** The key chose something of the list. */
  readonly takes: (event: KeyboardEvent) => boolean
  /** Null: nothing was picked in this field yet, so nothing of it is loaded. */
  readonly host: Omit<PickHostProps, 'onAttach'> | null
}

/** What `/` and `@` pick in the message field. `change`: the field's text. */
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
    // What was picked may come when the words have moved on.
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

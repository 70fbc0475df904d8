'use client'

import { useEffect, useRef, useState, type KeyboardEvent } from 'react'

const none: readonly string[] = []

export interface TitleEditorProps {
  readonly title: string
  /** Other titles, taken from what the chat says; a click on one is the answer. */
  readonly suggestions?: readonly string[]
  readonly onDone: (title: string | null) => void
}

/** Gives the new title, or null when it was left as it is. Enter and leaving the field save, Esc does not. */
export function TitleEditor({ title, suggestions = none, onDone }: TitleEditorProps) {
  const [value, setValue] = useState(title)
  const ref = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  useEffect(() => {
    ref.current?.focus()
    ref.current?.select()
  }, [])
  const finish = (wanted: string | null) => {
    if (done.current) return
    done.current = true
    const next = wanted?.trim() ?? ''
    onDone(next === '' || next === title ? null : next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && event.target === ref.current) finish(value)
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      finish(null)
    }
  }
  return (
    <div
      className="title-edit"
      role="none"
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) finish(value)
      }}
    >
      <input
        ref={ref}
        className="field title-field"
        aria-label="Title"
        value={value}
        maxLength={200}
        onChange={(event) => setValue(event.target.value)}
      />
      {suggestions.length > 0 ? (
        <ul className="title-suggestions" aria-label="Titles from what this chat says">
          {suggestions.map((suggestion) => (
            <li key={suggestion}>
              <button type="button" className="cut" dir="auto" onClick={() => finish(suggestion)}>
                {suggestion}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

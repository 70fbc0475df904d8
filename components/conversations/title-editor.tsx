'use client'

import { useEffect, useRef, useState } from 'react'

/** Gives the new title, or null when it was left as it is. Enter and leaving the field save, Esc does not. */
export function TitleEditor({ title, onDone }: { title: string; onDone: (title: string | null) => void }) {
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
  return (
    <input
      ref={ref}
      className="field title-field"
      aria-label="Title"
      value={value}
      maxLength={200}
      onChange={(event) => setValue(event.target.value)}
      onBlur={() => finish(value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') finish(value)
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          finish(null)
        }
      }}
    />
  )
}

'use client'

import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '@/components/ui/button'

export interface MessageEditorProps {
  readonly text: string
  /** Files say something without words. */
  readonly mayBeEmpty?: boolean
  readonly onSave: (text: string) => void
  readonly onCancel: () => void
}

/** Rewrites a sent message: saving starts a new branch, the old one stays. */
export function MessageEditor({ text, mayBeEmpty = false, onSave, onCancel }: MessageEditorProps) {
  const [value, setValue] = useState(text)
  const ref = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const field = ref.current
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])
  const isWhole = mayBeEmpty || value.trim() !== ''
  const save = () => {
    if (isWhole) onSave(value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      onCancel()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      save()
    }
  }
  return (
    <div className="editor">
      <textarea
        ref={ref}
        aria-label="Edited text"
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="ink" onClick={save} disabled={!isWhole}>
          Save
        </Button>
      </div>
    </div>
  )
}

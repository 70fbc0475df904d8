'use client'

import { useCallback, useEffect, useId, useRef, useState } from 'react'
import type { SectionProps } from './strategy-section'

const SAVE_AFTER_MS = 800

/** The system prompt, stored while it is typed. What could not be stored stays in the field. */
export function PromptSection({ settings, save }: SectionProps) {
  const heading = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const [status, setStatus] = useState<'' | 'saving' | 'saved' | 'failed'>('')
  const latest = useRef<string | null>(null)

  const flush = useCallback(async () => {
    const text = latest.current
    if (text === null) return
    setStatus('saving')
    const stored = await save((now) => ({ ...now, systemPrompt: text }))
    setStatus(stored ? 'saved' : 'failed')
    if (!stored || latest.current !== text) return
    latest.current = null
    setDraft(null)
  }, [save])

  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => void flush(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [draft, flush])
  // Closing the drawer in the middle of a word must not lose it.
  useEffect(() => () => void flush(), [flush])

  return (
    <section className="group" aria-labelledby={heading}>
      <div className="gh">
        <h3 id={heading}>System prompt</h3>
        <span className="end" role="status">
          {statusWords[status]}
        </span>
      </div>
      <p>
        What the model is told first. <code>{'{{tools}}'}</code> marks where the tools go; without it they stand at the
        end.
      </p>
      <textarea
        className="field area"
        aria-labelledby={heading}
        rows={5}
        maxLength={100_000}
        value={draft ?? settings.systemPrompt}
        onChange={(event) => {
          latest.current = event.target.value
          setDraft(event.target.value)
          setStatus('')
        }}
        onBlur={() => void flush()}
      />
    </section>
  )
}

const statusWords = { '': '', saving: 'saving …', saved: 'saved', failed: 'not saved; it is kept here' } as const

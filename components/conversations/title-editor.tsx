'use client'

import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { field } from '@/components/ui/recipes/field'
import { floating } from '@/components/ui/recipes/surface'
import type { Message } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'

const maxTitles = 4
const maxCharacters = 60

/** The start of a text, up to the end of a sentence, on one line. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line
  const plain = sentence.replace(/[.。]$/u, '')
  if (plain.length <= maxCharacters) return plain
  const cut = plain.slice(0, maxCharacters)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxCharacters - 20))}…`
}

const headingOf = (text: string): string | null => /^#{1,3} +(\S.*)$/m.exec(text)?.[1]?.replace(/[*_`#]/g, '') ?? null

/**
 * Title suggestions from the open branch: headings of its replies, then user messages, newest first. No model is asked.
 */
export function suggestTitles(path: readonly Message[], current: string): readonly string[] {
  const newest = path.toReversed()
  const headings = newest.flatMap((row) =>
    row.role === 'assistant' && row.outcome === 'finished' ? (headingOf(row.text.slice(0, 20_000)) ?? []) : [],
  )
  const asked = newest.flatMap((row) => (row.role === 'user' && row.text.trim() !== '' ? row.text.slice(0, 500) : []))
  const titles = new Set([...headings, ...asked].map(shorten).filter((title) => title.length > 2))
  titles.delete(current)
  return [...titles].slice(0, maxTitles)
}

const none: readonly Message[] = []

export interface TitleEditorProps {
  readonly title: string
  /** The messages that suggestions are taken from; a click on a suggestion chooses it. */
  readonly path?: readonly Message[]
  readonly onDone: (title: string | null) => void
}

/** Calls `onDone` with the new title, or null if it was not changed. Enter and blur save, Esc cancels. */
export default function TitleEditor({ title, path = none, onDone }: TitleEditorProps) {
  const [suggestions] = useState(() => suggestTitles(path, title))
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
      className="relative min-w-0 flex-1"
      role="none"
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) finish(value)
      }}
    >
      <input
        ref={ref}
        className={field({}, 'max-w-96')}
        aria-label={t('title.field')}
        value={value}
        maxLength={200}
        onChange={(event) => setValue(event.target.value)}
      />
      {suggestions.length > 0 ? (
        <ul
          className={floating(
            {},
            'absolute start-0 top-[calc(100%+0.25rem)] w-[min(24rem,80vw)] text-sm/[inherit] font-normal',
          )}
          aria-label={t('title.suggestions')}
        >
          {suggestions.map((suggestion) => (
            <li key={suggestion}>
              <button
                type="button"
                className="block w-full truncate rounded-sm px-2 py-1.5 text-start hover:bg-hover focus-visible:bg-hover"
                dir="auto"
                onClick={() => finish(suggestion)}
              >
                {suggestion}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

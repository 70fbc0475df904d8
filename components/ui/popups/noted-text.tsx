'use client'

import { createContext, useContext, type ReactNode } from 'react'
import type { TextKind } from '@/lib/base/untrusted-text/mark'
import { usePopoverButton } from '../controls/use-popover-button'
import { Popover } from './popover'
import { floating } from '../recipes/surface'
import { ForeignName, ForeignText, SentenceText } from '../text/foreign-text'
import { useTabStop } from '../text/out-of-view'

/** A sentence about a value's source, for every place in the texts below that contains it. */
export interface ValueNote {
  /** In lower case. */
  readonly value: string
  readonly origin: string
}

const ValueNotes = createContext<readonly ValueNote[]>([])
export const ValueNotesProvider = ValueNotes

/** The most notes in one text, so that they don't dominate it. */
const MAX_NOTED = 6

type Part = string | (ValueNote & { readonly text: string })

/** The text in parts; of overlapping values, the longest wins. */
function notedParts(text: string, notes: readonly ValueNote[]): readonly Part[] {
  const lower = text.toLowerCase()
  if (notes.length === 0 || lower.length !== text.length) return [text]
  const found: { readonly at: number; readonly note: ValueNote }[] = []
  for (const note of notes.toSorted((a, b) => b.value.length - a.value.length)) {
    const at = lower.indexOf(note.value)
    const end = at + note.value.length
    if (at < 0 || found.length >= MAX_NOTED) continue
    if (found.every((other) => end <= other.at || at >= other.at + other.note.value.length)) found.push({ at, note })
  }
  const parts: Part[] = []
  let from = 0
  for (const { at, note } of found.toSorted((a, b) => a.at - b.at)) {
    const end = at + note.value.length
    if (at > from) parts.push(text.slice(from, at))
    parts.push({ ...note, text: text.slice(at, end) })
    from = end
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

interface NotedProps {
  readonly text: string
  readonly reading?: TextKind
  /** A path, a key or a name, in code style. */
  readonly isName?: boolean
}

/** Foreign text, with underlined values that have a note. */
export function NotedText({ text, reading = 'name', isName = false }: NotedProps) {
  const notes = useContext(ValueNotes)
  const Print = isName ? ForeignName : ForeignText
  const parts = notedParts(text, notes)
  return parts.map((part, index) =>
    typeof part === 'string' ? (
      <Print key={index} text={part} reading={reading} />
    ) : (
      <Noted key={index} {...part}>
        <Print text={part.text} reading={reading} />
      </Noted>
    ),
  )
}

/** Shows the note on hover, focus and press; touch has only the press. */
function Noted({ value, origin, children }: ValueNote & { readonly children: ReactNode }) {
  const { at, close, button } = usePopoverButton()
  const tabIndex = useTabStop()
  return (
    <>
      <button
        type="button"
        tabIndex={tabIndex}
        data-tip={origin}
        data-noted={value}
        className="inline text-start underline decoration-line-strong decoration-dotted decoration-2 underline-offset-4 wrap-anywhere hover:decoration-text"
        {...button}
      >
        {children}
      </button>
      {at === null ? null : (
        <Popover
          at={at}
          onClose={close}
          role="status"
          dir="auto"
          className={floating({}, 'm-0 max-w-80 px-2 text-sm wrap-anywhere')}
        >
          <SentenceText text={origin} />
        </Popover>
      )}
    </>
  )
}

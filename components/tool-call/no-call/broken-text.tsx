'use client'

import { ForeignCode } from '@/components/ui/foreign-code'
import { useState } from 'react'
import { TextButton } from '@/components/ui/text-button'

/** Lines shown around the place where reading failed. */
const AROUND = 6
/** Characters of one line that show on each side of the place. */
const LINE_CHARACTERS = 400

export interface Place {
  /** From 1, within the call's own text. */
  readonly line: number
  readonly column: number
  /** Nothing comes after it. */
  readonly atEnd: boolean
}

export function placeOf(raw: string, offset: number): Place {
  const at = Math.min(Math.max(0, offset), raw.length)
  const before = raw.slice(0, at)
  const lastBreak = before.lastIndexOf('\n')
  const line = before.split('\n').length
  return { line, column: at - lastBreak, atEnd: raw.slice(at).trim() === '' }
}

/** The text of a broken call, the line tinted and the place marked. */
export function BrokenText({ raw, place }: { raw: string; place: Place }) {
  const [all, setAll] = useState(false)
  const lines = raw.split('\n')
  const from = all ? 0 : Math.max(0, place.line - 1 - AROUND)
  const to = all ? lines.length : Math.min(lines.length, place.line + AROUND)
  const hidden = lines.length - (to - from)
  return (
    <div className="card-body code diff" tabIndex={0} role="group" aria-label="What the model wrote">
      {lines.slice(from, to).map((text, index) => {
        const number = from + index + 1
        return (
          <div key={number} className={number === place.line ? 'ln del' : 'ln'}>
            <span className="no">{number}</span>
            <span className="sg" />
            {number === place.line ? (
              <MarkedLine text={text} place={place} />
            ) : (
              <span>
                <ForeignCode text={cut(text, 0)} />
              </span>
            )}
          </div>
        )
      })}
      {hidden > 0 ? (
        <TextButton className="gap" onClick={() => setAll(true)}>
          {hidden} more {hidden === 1 ? 'line' : 'lines'}
        </TextButton>
      ) : null}
    </div>
  )
}

function MarkedLine({ text, place }: { text: string; place: Place }) {
  const before = text.slice(0, place.column - 1)
  const after = text.slice(place.column - 1)
  return (
    <span>
      <ForeignCode text={before.length > LINE_CHARACTERS ? `…${before.slice(-LINE_CHARACTERS)}` : before} />
      <span className="nib" />
      <span className="mark">{place.atEnd ? 'ends here' : 'here'}</span>
      <ForeignCode text={cut(after, 0)} />
    </span>
  )
}

const cut = (text: string, from: number): string =>
  text.length > 2 * LINE_CHARACTERS ? `${text.slice(from, from + 2 * LINE_CHARACTERS)}…` : text

'use client'

import { numberWords } from '@/lib/base/locale'
import { useState } from 'react'
import { shapeable } from './long-words'
import { TextButton } from './text-button'

/** Characters that are laid out at once: a line of a million takes the page seconds. */
const step = 20_000

/** Text as it is written. Of a long one the beginning, and more of it by a click, so that no length stops the page. */
export function PlainText({ text }: { text: string }) {
  const [limit, setLimit] = useState(step)
  const hidden = text.length - limit
  return (
    <div data-plain="" className="wrap-anywhere whitespace-pre-wrap" dir="auto">
      {shapeable(hidden > 0 ? text.slice(0, limit) : text)}
      {hidden > 0 ? (
        <p>
          <TextButton onClick={() => setLimit(limit + step)}>
            show {numberWords(Math.min(step, hidden))} more of {numberWords(hidden)} characters
          </TextButton>
        </p>
      ) : null}
    </div>
  )
}

'use client'

import { useState } from 'react'
import { t } from '@/lib/i18n/t'
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
            {t('ui.more-characters', { more: Math.min(step, hidden), left: hidden })}
          </TextButton>
        </p>
      ) : null}
    </div>
  )
}

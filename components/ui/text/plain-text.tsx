'use client'

import { type ReactNode, useState, useLayoutEffect, useRef } from 'react'
import { t } from '@/lib/i18n/t'
import { TextButton } from '../controls/button'

/*
 * Emoji and letters with combining marks are shaped one by one, from fonts that have to be searched: 60,000 of them in
 * one paragraph blocked the page for seconds. Such a text is laid out in separate pieces, and only those in view.
 */

const dear = /[\p{M}\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u200d]/gu
/** More of them in one text than ordinary writing has. */
const most = 1_500
const pieceLength = 1_000
/** Characters that belong to the previous one. */
const joins = /^(?:[\p{M}\u200d\u{e0020}-\u{e007f}\udc00-\udfff]|\p{Emoji_Modifier})/u
const regional = /^[\u{1f1e6}-\u{1f1ff}]/u

/** The pieces of a text that is expensive to lay out, in order; null if it is not. */
export function heavyPieces(text: string): readonly string[] | null {
  if (text.length < most || (text.match(dear)?.length ?? 0) < most) return null
  const pieces: string[] = []
  for (let at = 0; at < text.length;) {
    const end = endOfPiece(text, at)
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}

/** Between grapheme clusters, after a blank if one is near; an endless cluster is cut anyway. */
function endOfPiece(text: string, from: number): number {
  const wanted = from + pieceLength
  if (wanted >= text.length) return text.length
  const blank = text.lastIndexOf(' ', wanted)
  if (blank > from + pieceLength / 2) return blank + 1
  for (let at = wanted; at < Math.min(text.length, wanted + 200); at++) {
    const next = text.slice(at, at + 2)
    const isSplit = joins.test(next) || text.charAt(at - 1) === '\u200d' || (regional.test(next) && oddFlags(text, at))
    if (!isSplit) return at
  }
  return /^[\udc00-\udfff]/.test(text.charAt(wanted)) ? wanted + 1 : wanted
}

/** Two regional letters are one flag. */
function oddFlags(text: string, at: number): boolean {
  let count = 0
  while (at >= 2 * (count + 1) && regional.test(text.slice(at - 2 * (count + 1), at - 2 * count))) count++
  return count % 2 === 1
}

/** Longer than any line, so nobody reads it as a word. */
const longWord = /\S{1000,}/

/**
 * A text whose words a browser can shape. A word is shaped whole, and with the ligatures, contextual forms and kerning
 * of Geist, 60,000 letters blocked the page for 2.5 s (6 ms without; line break opportunities don't help). So a text
 * with an overlong word is shaped without them.
 */
export function shapeable(text: string): ReactNode {
  const pieces = heavyPieces(text)
  if (pieces !== null) {
    return pieces.map((piece, index) => (
      <span key={index} className="block [contain-intrinsic-size:auto_12rem] [content-visibility:auto]">
        {unligatured(piece)}
      </span>
    ))
  }
  return unligatured(text)
}

const unligatured = (text: string): ReactNode =>
  longWord.test(text) ? <span className="[font-feature-settings:'calt'_0,'kern'_0,'liga'_0]">{text}</span> : text

/** Characters that are laid out at once: a line of a million takes the page seconds. */
const step = 20_000

/** Plain text. A long one is cut, with a button for more, so that no length blocks the page. */
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

interface FindableProps {
  readonly open: boolean
  /** The browser's find-in-page found text inside. */
  readonly onFound: () => void
  readonly children: ReactNode
}

/** Collapsed content that the browser's find-in-page can find and open (`hidden="until-found"`). */
export function Findable({ open, onFound, children }: FindableProps) {
  const box = useRef<HTMLDivElement>(null)

  // Set by script, because React knows `hidden` only as a boolean.
  useLayoutEffect(() => {
    if (open) box.current?.removeAttribute('hidden')
    else box.current?.setAttribute('hidden', 'until-found')
  }, [open])

  useLayoutEffect(() => {
    const element = box.current
    element?.addEventListener('beforematch', onFound)
    return () => element?.removeEventListener('beforematch', onFound)
  }, [onFound])

  return <div ref={box}>{children}</div>
}

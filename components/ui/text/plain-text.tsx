'use client'

import { type ReactNode, useState, useLayoutEffect, useRef } from 'react'
import { t } from '@/lib/i18n/t'
import { TextButton } from '../controls/button'

/*
 * Emoji and letters with marks over them are each shaped by themselves, from fonts that have to be looked for: 60,000 of them in one
 * paragraph kept the page for seconds. Such a text is laid out in pieces of its own, and only those in view are.
 */

const dear = /[\p{M}\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u200d]/gu
/** So many of them in one text are no writing that anyone reads at once. */
const most = 1_500
const pieceLength = 1_000
/** What continues with the character before it. */
const joins = /^(?:[\p{M}\u200d\u{e0020}-\u{e007f}\udc00-\udfff]|\p{Emoji_Modifier})/u
const regional = /^[\u{1f1e6}-\u{1f1ff}]/u

/** The pieces of a text that is dear to lay out, in its order; null: it is none. */
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

/** Between characters as they are seen, behind a blank where one is near; a pile without end is cut all the same. */
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

/** Longer than any line: no one reads it as a word. */
const longWord = /\S{1000,}/

/**
 * A text whose words a browser can shape. A word is shaped whole, and with the ligatures, contextual forms and kerning of
 * Geist 60,000 letters held the page for 2.5 s (6 ms without; breaking opportunities don't help): a text with a word that no
 * line holds goes without them.
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

interface FindableProps {
  readonly open: boolean
  /** The browser's own search met a word inside. */
  readonly onFound: () => void
  readonly children: ReactNode
}

/** What is folded away stays within reach of the browser's search, which opens it (`hidden="until-found"`). */
export function Findable({ open, onFound, children }: FindableProps) {
  const box = useRef<HTMLDivElement>(null)

  // Set by hand: React knows `hidden` as a flag only.
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

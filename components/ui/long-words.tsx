import type { ReactNode } from 'react'
import { heavyPieces } from './heavy-text'

/** Longer than any line: nobody reads it as a word. */
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

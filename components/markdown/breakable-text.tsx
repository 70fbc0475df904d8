import { Fragment, type ReactNode } from 'react'
import { SaidText } from '@/components/ui/foreign-text'

/** Laying out one word of 60,000 characters keeps a page for half a second; in pieces it costs what any text costs. */
const longestWord = 1_000

const longWord = new RegExp(String.raw`\S{${longestWord}}`, 'gu')

/** Words of a reply; one that no line could hold may break at any of its pieces. */
export function BreakableText({ text }: { text: string }): ReactNode {
  const pieces = text.length <= longestWord ? [text] : piecesOf(text)
  if (pieces.length === 1) return <SaidText text={text} />
  return pieces.map((piece, index) => (
    <Fragment key={index}>
      {index === 0 ? null : <wbr />}
      <SaidText text={piece} />
    </Fragment>
  ))
}

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let from = 0
  for (const { 0: word, index } of text.matchAll(longWord)) {
    pieces.push(text.slice(from, index + word.length))
    from = index + word.length
  }
  return from < text.length || pieces.length === 0 ? [...pieces, text.slice(from)] : pieces
}

import { Fragment, type ReactElement, type ReactNode } from 'react'
import { ForeignName, SaidText } from '@/components/ui/foreign-text'
import { withParts, type SentencePart } from '@/lib/base/sentence-part'
import { cardSay } from './look/card'

/** A sentence with its paths and names in code type. */
export function Sentence({ parts }: { parts: readonly SentencePart[] }) {
  return (
    <p data-part="say" className={cardSay({ tone: 'sum' })}>
      <SentenceParts parts={parts} />
    </p>
  )
}

/** The same inside of another line. */
export const SentenceParts = ({ parts }: { parts: readonly SentencePart[] }) =>
  parts.map((part, index) =>
    typeof part === 'string' ? <SaidText key={index} text={part} /> : <ForeignName key={index} text={part.code} />,
  )

/** A sentence with nodes among its values, which `say` puts in. */
export function saidAround(say: (put: (node: ReactElement) => string) => string): ReactNode {
  return withParts<ReactElement>(say).map((part, index) => (
    <Fragment key={index}>{typeof part === 'string' ? <SaidText text={part} /> : part}</Fragment>
  ))
}

import { Fragment, type ReactElement, type ReactNode } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { NotedText } from '@/components/ui/popups/noted-text'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { cardSay } from './styles/card'

/** A sentence with its paths and names in code style. */
export const Sentence = ({ parts }: { parts: readonly SentencePart[] }) => (
  <SentenceLine>
    <SentenceParts parts={parts} />
  </SentenceLine>
)

/** A card's sentence, directly below its head. */
export const SentenceLine = ({ children }: { children: ReactNode }) => (
  <p data-part="say" className={cardSay({ tone: 'sum' })}>
    {children}
  </p>
)

/** The same inside another line. */
export const SentenceParts = ({ parts }: { parts: readonly SentencePart[] }) =>
  parts.map((part, index) =>
    typeof part === 'string' ? (
      <SentenceText key={index} text={part} />
    ) : (
      <NotedText key={index} text={part.code} isName />
    ),
  )

/** A sentence with React nodes among its values, which `say` inserts. */
export function sentenceAround(say: (put: (node: ReactElement) => string) => string): ReactNode {
  return withParts<ReactElement>(say).map((part, index) => (
    <Fragment key={index}>{typeof part === 'string' ? <SentenceText text={part} /> : part}</Fragment>
  ))
}

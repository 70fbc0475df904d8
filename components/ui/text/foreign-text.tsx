import { foreignParts } from '@/lib/base/untrusted-text/foreign-text'
import type { TextKind } from '@/lib/base/untrusted-text/mark'
import { foreignText } from '../recipes/surface'
import { foreignNodes } from './sentence-text'

// Prose is in a separate file, because the first screen needs nothing else.
export { SentenceText, foreignNodes } from './sentence-text'

export interface ForeignTextProps {
  readonly text: string
  /** Left out: a name. */
  readonly reading?: TextKind
}

/**
 * Untrusted text (from a model, a file, an address, an error of foreign code) inside a line: invisible characters are
 * marked, and it can't change the direction of the text beside it. All such text uses this component or `ForeignCode`.
 */
export function ForeignText({ text, reading = 'name' }: ForeignTextProps) {
  return (
    <bdi dir={reading === 'prose' ? 'auto' : 'ltr'} className={foreignText}>
      {foreignNodes(foreignParts(text, reading))}
    </bdi>
  )
}

/** A path, a key or a tool's name, in code style; short code with its `reading`. */
export const ForeignName = ({ text, reading = 'name' }: ForeignTextProps) => (
  <code dir="ltr" className={foreignText}>
    {foreignNodes(foreignParts(text, reading))}
  </code>
)

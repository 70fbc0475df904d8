import { foreignParts } from '@/lib/base/untrusted-text/foreign-text'
import type { TextKind } from '@/lib/base/untrusted-text/mark'
import { foreignText } from '../recipes/surface'
import { foreignNodes } from './sentence-text'

// What is prose is in a file of its own: the first screen shows nothing else.
export { SentenceText, foreignNodes } from './sentence-text'

export interface ForeignTextProps {
  readonly text: string
  /** Left out: a name. */
  readonly reading?: TextKind
}

/**
 * A text that others wrote (a model, a file, an address, an error of foreign code), inside of a line: what does not show is
 * marked, and nothing in it turns the words beside it round. Every such text goes through here or through `ForeignCode`.
 */
export function ForeignText({ text, reading = 'name' }: ForeignTextProps) {
  return (
    <bdi dir={reading === 'prose' ? 'auto' : 'ltr'} className={foreignText}>
      {foreignNodes(foreignParts(text, reading))}
    </bdi>
  )
}

/** A path, a key or a tool's name, in code type; short code with its reading. */
export const ForeignName = ({ text, reading = 'name' }: ForeignTextProps) => (
  <code dir="ltr" className={foreignText}>
    {foreignNodes(foreignParts(text, reading))}
  </code>
)

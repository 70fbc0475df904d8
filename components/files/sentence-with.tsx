import { ForeignText } from '@/components/ui/foreign-text'
import type { Foreign } from '@/lib/base/untrusted-text/foreign'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'

export interface SentenceWithProps {
  readonly name: string
  /** The sentence, with what it is given in the place of the name. */
  readonly say: (name: Foreign) => string
}

/** A sentence of the app with a foreign name in it, which is shown as one wherever a language puts it. */
export const SentenceWith = ({ name, say }: SentenceWithProps) =>
  withParts((part) => say(part({ code: name }))).map((part, index) =>
    typeof part === 'string' ? part : <ForeignText key={index} text={part.code} />,
  )

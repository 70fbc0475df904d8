import { ForeignText } from '@/components/ui/text/foreign-text'
import type { Foreign } from '@/lib/base/untrusted-text/foreign'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'

export interface SentenceWithProps {
  readonly name: string
  /** The sentence, given the text that represents the name. */
  readonly say: (name: Foreign) => string
}

/** An app sentence with an untrusted name in it, which is marked as such wherever a language puts it. */
export const SentenceWith = ({ name, say }: SentenceWithProps) =>
  withParts((part) => say(part({ code: name }))).map((part, index) =>
    typeof part === 'string' ? part : <ForeignText key={index} text={part.code} />,
  )

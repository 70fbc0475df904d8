import { Fragment } from 'react'
import { ForeignText } from '@/components/ui/foreign-text'

/** Stands in the sentence where the name will: no name holds it, and no language turns it. */
const place = '\ufffc'

export interface SentenceWithProps {
  readonly name: string
  /** The sentence, with what it is given in the place of the name. */
  readonly say: (name: string) => string
}

/** A sentence of the app with a foreign name in it, which is shown as one wherever a language puts it. */
export const SentenceWith = ({ name, say }: SentenceWithProps) =>
  say(place)
    .split(place)
    .map((words, index) => (
      <Fragment key={index}>
        {index === 0 ? null : <ForeignText text={name} />}
        {words}
      </Fragment>
    ))

import { frameSentence } from './frame'

/** Of a model: what its server calls it, and whether it is the demo. */
interface Labelled {
  readonly label: string
  readonly simulated: boolean
}

/** A model's name for people. The demo is named in their language; the others as their servers name them. */
export const modelLabel = ({ label, simulated }: Labelled): string => (simulated ? frameSentence('frame.demo') : label)

/** The same as it stands in a sentence: "Demo (a script)" → "Demo". */
export const shortName = (model: Labelled): string =>
  model.simulated ? frameSentence('frame.demo-short') : model.label.replace(/ \([^)]*\)$/, '')

import { kindOfBrowserModel } from '@/lib/base/browser-model-id'
import { refusalText, t } from '@/lib/i18n/t'

/** Of a model: what its server calls it, and whether it is the demo. */
interface Labelled {
  readonly id: string
  readonly label: string
  readonly simulated: boolean
}

/** A model's name for people. The demo is named in their language; the others as their servers name them. */
export function modelLabel({ id, label, simulated }: Labelled): string {
  if (simulated) return t('frame.demo')
  const kind = kindOfBrowserModel(id)
  // What is pasted comes from elsewhere.
  return kind === null || kind === 'paste' ? label : t('frame.in-browser', { label })
}

/** The same as it is in a sentence: "Demo (a script)" → "Demo". */
export const shortName = ({ label, simulated }: Pick<Labelled, 'label' | 'simulated'>): string =>
  simulated ? t('frame.demo-short') : label.replace(/ \([^)]*\)$/, '')

/** Who answers for a model: a product by its name, what a browser has for itself in the reader's words. */
export const providerName = ({ id, providerLabel }: { readonly id: string; readonly providerLabel: string }): string =>
  refusalText({ reason: `failure.provider.${kindOfBrowserModel(id)}`, values: {}, message: providerLabel })

import { kindOfBrowserModel } from '@/lib/base/model-id'
import { refusalText, t } from '@/lib/i18n/t'

/** A model: its name on its server, and whether it is the demo. */
interface Labelled {
  readonly id: string
  readonly label: string
  readonly simulated: boolean
}

/** A model's display name. The demo is translated; others are named as on their servers. */
export function modelLabel({ id, label, simulated }: Labelled): string {
  if (simulated) return t('frame.demo')
  const kind = kindOfBrowserModel(id)
  // A pasted model comes from elsewhere.
  return kind === null || kind === 'paste' ? label : t('frame.in-browser', { label })
}

/** The same for use in a sentence: "Demo (a script)" → "Demo". */
export const shortName = ({ label, simulated }: Pick<Labelled, 'label' | 'simulated'>): string =>
  simulated ? t('frame.demo-short') : label.replace(/ \([^)]*\)$/, '')

/** The provider of a model: a product by its name, the browser's own models in the reader's language. */
export const providerName = ({ id, providerLabel }: { readonly id: string; readonly providerLabel: string }): string =>
  refusalText({ reason: `failure.provider.${kindOfBrowserModel(id)}`, values: {}, message: providerLabel })

import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { modelHolder } from '@/lib/shared/conversation/settings/model-holder'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeStrategy } from '@/lib/protocols/envelope-reply'

export interface ExactStanding {
  /** Null: there is nothing to switch. */
  readonly on: boolean | null
  readonly sentence: string
}

/** What holds of exact replies in a chat with these settings. `model`: as it is listed; undefined: it is not. */
export function exactStanding(
  { strategy, tools, exact: wanted }: ConversationSettings,
  model: ModelsResponse['models'][number] | undefined,
): ExactStanding {
  if (toolContextBuilder.get(strategy).callsBy === 'provider') return { on: null, sentence: t('exact.native') }
  if (!tools.enabled) return { on: null, sentence: t('exact.no-tools') }
  if (!model) return { on: null, sentence: t('exact.unknown-model') }
  const name = { model: modelLabel(model), by: modelHolder(model.id) }
  const { exact } = model
  if (!exact) return { on: null, sentence: t('exact.none', name) }
  const isWhole = exact.takes === 'json-schema'
  if (isWhole && strategy !== envelopeStrategy) {
    return { on: null, sentence: t('exact.schema-only', { ...name, strategy: envelopeStrategy }) }
  }
  const on = wanted ?? exact.byDefault
  if (!on && isWhole) return { on, sentence: t('exact.off-whole', name) }
  if (!on && wanted === undefined) return { on, sentence: t('exact.off-here', name) }
  const found = t(exact.found ? `exact.${exact.found}` : 'exact.untried', name)
  return { on, sentence: isWhole ? `${found} ${t('exact.whole')}` : found }
}

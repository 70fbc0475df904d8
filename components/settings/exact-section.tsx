'use client'

import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { modelHolder } from '@/lib/base/model-id'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeStrategy } from '@/lib/protocols/envelope-reply'
import { useEffect, useId } from 'react'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { hint, rows } from '@/components/ui/recipes/field'
import { Switch } from '@/components/ui/forms/switch'
import { atEnd, section, sectionHead, settingRow, settingsNote } from './settings-styles'
import type { SectionProps } from './prompt-section'

export interface ExactStatus {
  /** Null if there is nothing to switch. */
  readonly on: boolean | null
  readonly sentence: string
}

/** The state of constrained replies in a chat with these settings. `model` is undefined if it is not listed. */
export function exactStatus(
  { strategy, tools, exact: wanted }: ConversationSettings,
  model: ModelsResponse['models'][number] | undefined,
): ExactStatus {
  if (toolContextBuilder.get(strategy).callsBy === 'provider') return { on: null, sentence: t('exact.native') }
  if (!tools.enabled) return { on: null, sentence: t('exact.no-tools') }
  if (!model) return { on: null, sentence: t('exact.unknown-model') }
  const name = { model: modelLabel(model), by: modelHolder(model.id) }
  const { exact } = model
  if (!exact) return { on: null, sentence: t('exact.none', name) }
  const isComplete = exact.takes === 'json-schema'
  if (isComplete && strategy !== envelopeStrategy) {
    return { on: null, sentence: t('exact.schema-only', { ...name, strategy: envelopeStrategy }) }
  }
  const on = wanted ?? exact.byDefault
  if (!on && isComplete) return { on, sentence: t('exact.off-whole') }
  if (!on && wanted === undefined) return { on, sentence: t('exact.off-here', name) }
  const found = t(exact.found ? `exact.${exact.found}` : 'exact.untried', name)
  return { on, sentence: isComplete ? `${found} ${t('exact.whole')}` : found }
}

/** Whether the model's server is asked to constrain each reply to the call format. */
export default function ExactSection({ settings, save }: SectionProps) {
  const heading = useId()
  const model = useChat((state) => state.models?.models.find(({ id }) => id === settings.model))
  const { reloadModels } = useChatActions()
  const canChange = model?.exact !== undefined
  // Reloads the list, because it contains what the last replies showed about the server.
  useEffect(() => {
    if (canChange) void reloadModels()
  }, [canChange, reloadModels])
  const { on, sentence } = exactStatus(settings, model)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('chat-settings.exact-part')}
      </h3>
      <p className={settingsNote()}>{t('exact.about')}</p>
      <div className={rows()}>
        <div className={settingRow()}>
          <div>
            {t('exact.form', { strategy: settings.strategy })}
            <small className={hint()}>
              <SentenceText text={sentence} />
            </small>
          </div>
          <Switch
            className={atEnd()}
            label={t('chat-settings.exact-part')}
            checked={on === true}
            disabled={on === null}
            onChange={(exact) => void save((now) => ({ ...now, exact }))}
          />
        </div>
      </div>
    </section>
  )
}

'use client'

import { useEffect, useId } from 'react'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { SentenceText } from '@/components/ui/foreign-text'
import { hint, rows } from '@/components/ui/recipes/choice'
import { Switch } from '@/components/ui/switch'
import { t } from '@/lib/i18n/t'
import { exactStanding } from './exact-standing'
import { atEnd, section, sectionHead, settingRow, settingsNote } from './settings-styles'
import type { SectionProps } from './strategy-section'

/** Whether the model's server is asked to hold each reply to the form of the call format. */
export default function ExactSection({ settings, save }: SectionProps) {
  const heading = useId()
  const model = useChat((state) => state.models?.models.find(({ id }) => id === settings.model))
  const { reloadModels } = useChatActions()
  const canChange = model?.exact !== undefined
  // What the last replies showed of the server stands in its list.
  useEffect(() => {
    if (canChange) void reloadModels()
  }, [canChange, reloadModels])
  const { on, sentence } = exactStanding(settings, model)
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

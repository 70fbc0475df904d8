'use client'

import { asForeign } from '@/lib/base/foreign-text/foreign'
import { useId, useState } from 'react'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { useChat } from '@/components/context/chat-context'
import { Button } from '@/components/ui/button'
import { SaidText } from '@/components/ui/foreign-text'
import { hint } from '@/components/ui/recipes/choice'
import { checkBox, checkLabel, field } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import type { ChatSetup } from '@/lib/conversation/chat-setup'
import type { ConversationSettings } from '@/lib/conversation/conversation'
import { mostPresetNameChars } from '@/lib/conversation/preset'
import { nameOfModel } from '@/lib/conversation/tab-run'

export interface SavePresetProps {
  readonly settings: ConversationSettings
  readonly onSave: (name: string, setup: ChatSetup) => Promise<boolean>
}

/** A name, and the settings of this chat are a preset. */
export function SavePreset({ settings, onSave }: SavePresetProps) {
  const heading = useId()
  const [name, setName] = useState('')
  const [withModel, setWithModel] = useState(true)
  const [asked, setAsked] = useState(false)
  const listed = useChat((state) => state.models?.models.find(({ id }) => id === settings.model))
  const model = listed && modelLabel(listed)
  const isMissing = asked && name.trim() === ''
  const save = async () => {
    setAsked(true)
    if (name.trim() === '') return
    if (
      !(await onSave(name.trim(), { ...settings, model: withModel && settings.model !== '' ? settings.model : null }))
    )
      return
    setName('')
    setAsked(false)
  }
  return (
    <form
      className="mt-5 grid gap-2"
      aria-labelledby={heading}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h4 className="font-medium" id={heading}>
        {t('presets.save-title')}
      </h4>
      <div className={row()}>
        <input
          className={field({}, 'min-w-40 flex-1')}
          aria-label={t('presets.name')}
          aria-invalid={isMissing}
          placeholder={t('presets.name')}
          maxLength={mostPresetNameChars}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button look="ink" type="submit">
          {t('presets.save')}
        </Button>
      </div>
      {isMissing ? (
        <small className={hint({ tone: 'bad' })} role="alert">
          {t('presets.name-needed')}
        </small>
      ) : null}
      <label className={checkLabel()}>
        <input
          className={checkBox()}
          type="checkbox"
          checked={withModel}
          onChange={(event) => setWithModel(event.target.checked)}
        />
        <SaidText text={t('presets.save-model', { model: asForeign(model ?? nameOfModel(settings.model)) })} />
      </label>
      {withModel ? null : <small className={hint()}>{t('presets.save-no-model')}</small>}
    </form>
  )
}

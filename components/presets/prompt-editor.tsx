'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { field, hint, textArea } from '@/components/ui/recipes/field'
import { t } from '@/lib/i18n/t'
import { maxPresetNameChars, maxPromptChars } from '@/lib/shared/conversation/settings/preset'

interface PromptEditorProps {
  readonly name: string
  readonly prompt: string
  /** Resolves to whether it was stored. */
  readonly onSave: (name: string, prompt: string) => Promise<boolean>
  readonly onClose: () => void
}

/** Edits a preset's name and prompt. */
export default function PromptEditor({ name, prompt, onSave, onClose }: PromptEditorProps) {
  const [named, setNamed] = useState(name)
  const [text, setText] = useState(prompt)
  const [isAsked, setAsked] = useState(false)
  const isMissing = named.trim() === '' || text.trim() === ''
  const save = async () => {
    setAsked(true)
    if (!isMissing && (await onSave(named.trim(), text))) onClose()
  }
  const title = t(prompt === '' ? 'presets.new-prompt' : 'presets.edit-prompt')
  return (
    <Dialog label={title} onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <h2>{title}</h2>
        <input
          className={field({}, 'w-full')}
          aria-label={t('presets.name')}
          placeholder={t('presets.name')}
          maxLength={maxPresetNameChars}
          value={named}
          onChange={(event) => setNamed(event.target.value)}
        />
        <textarea
          className={textArea({}, 'min-h-40')}
          aria-label={t('presets.prompt')}
          placeholder={t('presets.prompt')}
          maxLength={maxPromptChars}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <small className={hint()}>{t('presets.prompt-hint', { sample: '{{text}}' })}</small>
        {isAsked && isMissing ? (
          <small className={hint({ tone: 'bad' })} role="alert">
            {t('presets.prompt-needed')}
          </small>
        ) : null}
        <DialogFoot>
          <Button onClick={onClose}>{t('presets.cancel')}</Button>
          <Button look="ink" type="submit">
            {t('presets.prompt-save')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useId, useState } from 'react'
import { useChat } from '@/components/context/chat-context'
import { useBuiltInTools } from '@/components/context/tools-context'
import { Button, IconButton } from '@/components/ui/controls/button'
import { downloadBlob } from '@/components/ui/data/download-blob'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { rows, hint, checkBox, checkLabel, field } from '@/components/ui/recipes/field'
import { notice, row } from '@/components/ui/recipes/surface'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import {
  isUnreadable,
  maxPresetNameChars,
  type ChatSetup,
  type Preset,
  type PresetContent,
} from '@/lib/shared/conversation/settings/preset'
import { writePresetFile } from '@/lib/shared/conversation/settings/preset-and-project-files'
import { setNewChats } from '@/lib/client/wiring/presets.browser'
import { t } from '@/lib/i18n/t'
import { PresetRow } from './preset-row'
import { setupFacts } from './initial-settings'
import { usePresets, useStartChat } from './use-presets'
import { modelLabel } from '@/lib/i18n/model-label'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'

interface SavePresetProps {
  readonly settings: ConversationSettings
  readonly onSave: (name: string, setup: ChatSetup) => Promise<boolean>
}

/** Asks for a name and saves this chat's settings as a preset. */
function SavePreset({ settings, onSave }: SavePresetProps) {
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
          maxLength={maxPresetNameChars}
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
        <SentenceText text={t('presets.save-model', { model: asUntrusted(model ?? nameOfModel(settings.model)) })} />
      </label>
      {withModel ? null : <small className={hint()}>{t('presets.save-no-model')}</small>}
    </form>
  )
}

const PromptEditor = lazyPart(() => import('./prompt-editor'), {
  what: () => t('presets.prompt'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const StarterRows = lazyPart(() => import('./starter-rows'), { look: 'silent' })
const ImportPresets = lazyPart(() => import('./import-presets'), {
  what: () => t('presets.import-title'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** The chat whose settings can become a preset, and that can use one. */
export interface PresetChat {
  readonly settings: ConversationSettings
  readonly use: (preset: Preset) => Promise<boolean>
}

interface PromptToWrite {
  readonly id?: string
  readonly isStored?: true
  readonly name: string
  readonly prompt: string
}

export interface PresetPanelProps {
  /** Left out on a page beside the chat. */
  readonly chat?: PresetChat
  /** A new chat was started. */
  readonly onBegun: () => void
}

/** All presets, with what each means here and the actions on it. */
export default function PresetPanel({ chat, onBegun }: PresetPanelProps) {
  const heading = useId()
  const { presets, problem, deleted, list } = usePresets()
  const models = useChat((state) => state.models)
  const tools = useBuiltInTools()
  const begin = useStartChat()
  const [noticeText, setNotice] = useState<string | null>(null)
  const [importing, setImporting] = useState(false)
  /** The prompt being edited, with the `id` of a preset, a starter or a new one. */
  const [writing, setWriting] = useState<PromptToWrite | null>(null)
  /** Reports success; `problem` reports an error. */
  const after = async (work: Promise<boolean>, words: string | null = null) => {
    setNotice(null)
    const isDone = await work
    if (isDone) setNotice(words)
    return isDone
  }
  const setDefault = async ({ name, setup }: Preset) => {
    if (!setup) return
    const why = await setNewChats(setup)
    setNotice(why === null ? t('presets.is-default', { name: asUntrusted(name) }) : t('presets.not-done', { why }))
  }
  const save = (some: readonly Preset[], name: string) =>
    downloadBlob(`${name}.json`, new Blob([writePresetFile(some)], { type: 'application/json' }))
  return (
    <section aria-labelledby={heading}>
      <h3 className="mb-1 text-md font-strong" id={heading}>
        {t('presets.title')}
      </h3>
      <p className="mb-3 text-sm text-pretty text-muted">{t('presets.about')}</p>
      {problem === null ? null : (
        <p className="mb-3 text-sm text-danger" role="alert">
          <SentenceText text={t('presets.not-done', { why: problem })} />
        </p>
      )}
      {presets === null ? (
        problem === null && <p className="text-sm text-muted">{t('presets.loading')}</p>
      ) : presets.length === 0 ? (
        <p className="text-sm text-muted">{t('presets.none')}</p>
      ) : (
        <ul className={rows()} aria-label={t('presets.list')}>
          {presets.map((preset, at) => (
            <PresetRow
              key={preset.id}
              preset={preset}
              facts={[
                ...(preset.setup ? setupFacts(preset.setup, models, tools) : []),
                ...(preset.prompt === undefined ? [] : [t('presets.fact.message', { chars: preset.prompt.length })]),
                ...(isUnreadable(preset) ? [t('presets.fact.unreadable')] : []),
              ]}
              onUse={chat ? () => after(chat.use(preset), t('presets.used', { name: asUntrusted(preset.name) })) : null}
              onBegin={() => {
                begin(preset)
                onBegun()
              }}
              onRename={(name) => after(list.change(preset.id, { name }))}
              actions={{
                ...(chat && {
                  replace: () =>
                    after(
                      list.change(preset.id, { setup: chat.settings }),
                      t('presets.replaced', { name: asUntrusted(preset.name) }),
                    ),
                }),
                ...(!isUnreadable(preset) && {
                  'edit-prompt': () =>
                    setWriting({ id: preset.id, isStored: true, name: preset.name, prompt: preset.prompt ?? '' }),
                }),
                'as-default': () => setDefault(preset),
                export: () => save([preset], preset.name),
                ...(at > 0 && { up: () => after(list.move(preset.id, -1)) }),
                ...(at < presets.length - 1 && { down: () => after(list.move(preset.id, 1)) }),
                delete: () => after(list.remove(preset)),
              }}
            />
          ))}
        </ul>
      )}
      <div role="status">
        {deleted ? (
          <div className={notice({ size: 'banner' }, 'mt-3')}>
            <p className="min-w-0 flex-1 wrap-anywhere">
              <SentenceText text={t('presets.deleted', { name: asUntrusted(deleted.name) })} />
            </p>
            <Button onClick={() => void after(list.undo())}>{t('presets.undo')}</Button>
            <IconButton icon="cross" size="xs" label={t('presets.dismiss')} onClick={list.dismissUndo} />
          </div>
        ) : null}
        {noticeText === null ? null : (
          <p className="mt-3 text-sm text-pretty wrap-anywhere">
            <SentenceText text={noticeText} />
          </p>
        )}
      </div>
      {chat ? (
        <SavePreset
          settings={chat.settings}
          onSave={(name, setup) => after(list.add(name, { setup }), t('presets.saved', { name: asUntrusted(name) }))}
        />
      ) : null}
      <div className={row({}, 'mt-4')}>
        <Button onClick={() => setWriting({ name: '', prompt: '' })}>{t('presets.new-prompt')}</Button>
        <Button onClick={() => setImporting(true)}>{t('presets.import')}</Button>
        {presets && presets.length > 0 ? (
          <Button onClick={() => save(presets, 'nod-presets')}>{t('presets.export-all')}</Button>
        ) : null}
      </div>
      {presets === null ? null : <StarterRows presets={presets} onEdit={setWriting} />}
      {writing ? (
        <PromptEditor
          name={writing.name}
          prompt={writing.prompt}
          onClose={() => setWriting(null)}
          onSave={(name, prompt) => {
            const { id, isStored } = writing
            const content: PresetContent = { setup: null, prompt }
            const done = isStored && id !== undefined ? list.change(id, { name, prompt }) : list.add(name, content, id)
            return after(done, t('presets.saved', { name: asUntrusted(name) }))
          }}
        />
      ) : null}
      {importing ? <ImportPresets onClose={() => setImporting(false)} onDone={setNotice} /> : null}
    </section>
  )
}

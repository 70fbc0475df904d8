'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useId, useState, useCallback, useRef } from 'react'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { useChat, useClientStore } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { hint, rows } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { Select } from '@/components/ui/forms/select'
import { useLanguage } from '@/components/ui/page/use-language'
import { settingsOfSetup, type ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'
import { ApprovalSection, LimitsSection } from '../approval-section'
import { PromptSection, StrategySection } from '../prompt-section'
import { section, sectionHead, settingRow, settingsNote } from '../settings-styles'
import { ToolsSection } from '../tools-section'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { setNewChats } from '@/lib/client/wiring/presets.browser'
import type { SaveSettings } from '../use-save-settings'

const usual: ChatSetup = { ...defaultSettings(''), model: null }

interface NewChats {
  /** Null if nothing differs from Nod's defaults. */
  readonly chosen: ChatSetup | null
  readonly setup: ChatSetup
  /**
   * Null resets to Nod's defaults. False if it could not be stored; `problem` then has the reason, and the old value
   * stays.
   */
  readonly put: (change: (now: ChatSetup) => ChatSetup | null) => Promise<boolean>
  readonly save: SaveSettings['save']
  readonly problem: string | null
}

/**
 * The settings of new chats. Each change applies to the newest state and is stored after earlier ones, so that quick
 * clicks add up.
 */
function useNewChats(): NewChats {
  const store = useClientStore()
  const stored = useChat((state) => state.models?.newChats ?? null)
  const [shown, setShown] = useState<{ readonly setup: ChatSetup | null } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef(shown)
  const line = useRef<Promise<unknown>>(Promise.resolve())
  const chosen = shown ? shown.setup : stored

  const put = useCallback<NewChats['put']>(
    async (change) => {
      const now = latest.current ? latest.current.setup : (store.getState().models?.newChats ?? null)
      const mine = { setup: change(now ?? usual) }
      latest.current = mine
      setShown(mine)
      const sent = line.current.then(() => setNewChats(mine.setup))
      line.current = sent
      const why = await sent
      setProblem(why)
      if (latest.current === mine) {
        // From here on the server's value counts; the page receives it by itself.
        const { models } = store.getState()
        if (why === null && models) store.dispatch({ type: 'models-loaded', models: withNewChats(models, mine.setup) })
        latest.current = null
        setShown(null)
      }
      return why === null
    },
    [store],
  )
  const save = useCallback<SaveSettings['save']>(
    (change) =>
      put((now) => {
        const { models } = store.getState()
        // The model is chosen separately: a section gets an available one, and leaves it unchanged.
        return { ...change(settingsOfSetup(now, models)), model: now.model }
      }),
    [put, store],
  )
  return { chosen, setup: chosen ?? usual, put, save, problem }
}

const withNewChats = (models: ModelsResponse, newChats: ChatSetup | null): ModelsResponse => ({ ...models, newChats })

/** The settings of new chats, in the same sections as a chat's settings. */
export default function NewChatsPart() {
  useLanguage()
  const models = useChat((state) => state.models)
  const newChats = useNewChats()
  if (models === null) {
    return (
      <p className={section()} role="status">
        {t('preferences.loading')}
      </p>
    )
  }
  const { setup, save, problem } = newChats
  const settings = settingsOfSetup(setup, models)
  return (
    <>
      <Head {...newChats} />
      {problem === null ? null : (
        <p className="bg-danger-soft px-5 py-3 text-sm text-danger" role="alert">
          <SentenceText text={t('preferences.not-stored', { why: problem })} />
        </p>
      )}
      <PromptSection settings={settings} save={save} />
      <StrategySection settings={settings} save={save} />
      <ApprovalSection settings={settings} save={save} />
      <ToolsSection settings={settings} save={save} />
      <LimitsSection settings={settings} save={save} />
    </>
  )
}

function Head({ chosen, setup, put }: NewChats) {
  const heading = useId()
  const models = useChat((state) => state.models)
  const [before, setBefore] = useState<ChatSetup | null>(null)
  const called = (id: string) => {
    const known = models?.models.find((one) => one.id === id)
    return known ? modelLabel(known) : nameOfModel(id)
  }
  const isHere = setup.model === null || models?.models.some(({ id }) => id === setup.model)
  const options = [
    {
      value: '',
      label: labelOf(t('preferences.model-server', { model: asUntrusted(called(models?.defaultModel ?? '')) })),
    },
    ...(isHere || setup.model === null
      ? []
      : [
          {
            value: setup.model,
            label: labelOf(t('preferences.model-gone', { model: asUntrusted(nameOfModel(setup.model)) })),
          },
        ]),
    ...(models?.models ?? []).map((one) => ({ value: one.id, label: modelLabel(one) })),
  ]
  return (
    <section className={section()} aria-labelledby={heading}>
      <h2 className={sectionHead()} id={heading}>
        {t('preferences.new-chats')}
      </h2>
      <p className={settingsNote()}>{t('preferences.new-chats-about')}</p>
      <div className={rows()}>
        <div className={settingRow({ control: 'words' })}>
          <div>
            {t('preferences.model')}
            <small className={hint()}>{t('preferences.model-about')}</small>
          </div>
          <Select
            small
            label={t('preferences.model')}
            value={setup.model ?? ''}
            options={options}
            onChange={(model) => void put((now) => ({ ...now, model: model === '' ? null : model }))}
          />
        </div>
      </div>
      <div className={row({}, 'mt-3 text-sm text-muted')} role="status">
        {chosen ? (
          <Button
            onClick={() => {
              setBefore(chosen)
              void put(() => null)
            }}
          >
            {t('preferences.reset')}
          </Button>
        ) : before ? (
          <>
            <span>{t('preferences.was-reset')}</span>
            <Button onClick={() => void put(() => before)}>{t('preferences.undo')}</Button>
          </>
        ) : (
          t('preferences.usual')
        )}
      </div>
    </section>
  )
}

'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useState, useRef } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { Button, IconButton } from '../ui/controls/button'
import { Dialog, DrawerHead } from '@/components/ui/popups/dialog'
import { ForeignText, SentenceText } from '../ui/text/foreign-text'
import { rows } from '@/components/ui/recipes/field'
import { useLanguage } from '@/components/ui/page/use-language'
import type { BrowserModelConfig } from '@/lib/client/browser-models/browser-model'
import {
  chromeModelOf,
  prepareChromeModel,
  type ChromeAvailability,
  type ChromeLanguageModel,
} from '@/lib/client/browser-models/chrome/prompt-api'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { isBrowserModel } from '@/lib/base/model-id'
import { problemsOfModels } from '@/lib/shared/conversation/wire/model-problems'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { storeModel, ownModels, removeModel } from '@/lib/client/wiring/models/tab-models.browser'
import { LlamaForm } from './llama-form'
import { type ConnectMethod, newConfig, modelsNote } from './new-config'
import { OwnServerForm, type AddFormProps, useFocusOnOpen } from './own-server-form'
import { Progress } from '../ui/page/progress'

/**
 * Adds the browser's built-in model, which the browser downloads. Renders nothing if the browser doesn't support it.
 */
function ChromeForm({ model, taken, onAdd }: AddFormProps & { readonly model: ChromeLanguageModel }) {
  const [state, setState] = useState<ChromeAvailability | null>(null)
  const [part, setPart] = useState<number | null>(null)
  /** The browser's own error message. */
  const [problem, setProblem] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => {
    let wanted = true
    void model.availability().then(
      (found) => wanted && setState(found),
      () => wanted && setState('unavailable'),
    )
    return () => {
      wanted = false
      running.current?.abort()
    }
  }, [model])
  if (state === null || state === 'unavailable') return null
  const add = async () => {
    const abort = new AbortController()
    running.current = abort
    setProblem(null)
    setPart(0)
    try {
      const contextTokens = await prepareChromeModel(model, setPart, abort.signal)
      await onAdd(
        newConfig({ kind: 'chrome', name: 'built-in', label: t('models-dialog.chrome-label'), contextTokens }, taken),
      )
    } catch (error) {
      if (!abort.signal.aborted) setProblem(error instanceof Error ? error.message : '')
    }
    setPart(null)
  }
  const words = t(state === 'available' ? 'chrome.available' : 'chrome.downloadable')
  return (
    <section className="grid justify-items-start gap-2">
      <h3 className="text-md font-strong">{t('models-dialog.chrome')}</h3>
      <p className={modelsNote()}>
        {problem === null ? words : <SentenceText text={t('chrome.failed', { why: problem })} />}
      </p>
      {part === null || state === 'available' ? null : (
        <Progress
          className="w-full"
          what={t('chrome.downloading', { percent: Math.round(part * 100) })}
          done={part}
          of={1}
          cancel={{ label: t('wait.cancel'), run: () => running.current?.abort() }}
        />
      )}
      <Button onClick={() => void add()} disabled={part !== null}>
        {t(state === 'available' ? 'models-dialog.add' : 'models-dialog.chrome-add')}
      </Button>
    </section>
  )
}

/** Adds a model that needs no server: the user copies messages to and from another chat. */
function PasteForm({ taken, onAdd, isWanted }: AddFormProps & { isWanted: boolean }) {
  const start = useFocusOnOpen<HTMLElement>(isWanted, 'button')
  const called = t('paste.name')
  const add = () => onAdd(newConfig({ kind: 'paste', name: 'any chat', label: called }, taken))
  return (
    <section ref={start} className="my-2 grid justify-items-start gap-2">
      <h3 className="text-md font-strong">{called}</h3>
      <p className={modelsNote()}>{t('paste.about')}</p>
      <Button
        onClick={() => void add()}
        aria-label={labelOf(t('models-dialog.add-named', { name: asUntrusted(called) }))}
      >
        {t('models-dialog.add')}
      </Button>
    </section>
  )
}

/** One column that never gets wider than the drawer. */
const part = 'grid grid-cols-[minmax(0,1fr)] gap-3 border-b border-line p-5 last:border-b-0 narrow:px-3.5'
const line = 'flex items-center gap-3 px-3.5 py-2 not-first:border-t not-first:border-line'

/**
 * The models that a chat can use: this browser's own, which are added here, and the server's, with their problems.
 * `way`: the form that opens with the focus.
 */
export default function ModelsDialog({ way, onClose }: { way?: ConnectMethod; onClose: () => void }) {
  useLanguage()
  const models = useChat((state) => state.models)
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const { reloadModels, updateSettings } = useChatActions()
  const [own, setOwn] = useState<readonly BrowserModelConfig[] | null>(null)
  const [failed, setFailed] = useState(false)
  const look = async () => setOwn(await ownModels())
  useEffect(() => {
    let wanted = true
    void ownModels().then((found) => wanted && setOwn(found))
    return () => {
      wanted = false
    }
  }, [])

  const add = async (config: BrowserModelConfig) => {
    setFailed(false)
    try {
      await storeModel(config)
    } catch {
      return setFailed(true)
    }
    await reloadModels()
    // Selects the added model, because a person who adds a model wants to use it.
    if (settings) await updateSettings({ ...settings, model: config.id })
    await look()
  }
  const remove = async (id: string) => {
    setFailed(false)
    await removeModel(id).catch(() => setFailed(true))
    await reloadModels()
    await look()
  }
  const taken = new Set(own?.map(({ id }) => id))
  const chrome = chromeModelOf(window)
  const paste = own?.some(({ kind }) => kind === 'paste') ? null : (
    <PasteForm taken={taken} onAdd={add} isWanted={way === 'paste'} />
  )
  return (
    <Dialog label={t('models-dialog.title')} look="drawer" onClose={onClose}>
      <DrawerHead title={t('models-dialog.title')}>
        <IconButton icon="cross" label={t('models-dialog.close')} onClick={onClose} />
      </DrawerHead>
      {failed ? (
        <p className="bg-danger-soft px-5 py-3 text-sm text-danger" role="alert">
          {t('kept.failed')}
        </p>
      ) : null}
      {own && own.length > 0 ? (
        <section className={part} aria-label={t('models-dialog.own')}>
          <h3 className="text-md font-strong">{t('models-dialog.own-head')}</h3>
          <div className={rows()}>
            {own.map((config) => (
              <OwnModel key={config.id} config={config} onRemove={() => void remove(config.id)} />
            ))}
          </div>
        </section>
      ) : null}
      <section className={part} aria-label={t('models-dialog.add-part')}>
        <h3 className="text-md font-strong">{t('models-dialog.add-head')}</h3>
        {way === 'paste' ? paste : null}
        {(models?.browserHosts ?? []).length === 0 ? (
          <p className={modelsNote()}>{t('hosts.none')}</p>
        ) : (
          <OwnServerForm taken={taken} onAdd={add} {...(way && way !== 'paste' && { way })} />
        )}
        {chrome ? <ChromeForm model={chrome} taken={taken} onAdd={add} /> : null}
        {way === 'paste' ? null : paste}
      </section>
      <div className={part}>
        <LlamaForm onAdd={add} />
      </div>
      {models ? <ServerModels models={models} /> : null}
    </Dialog>
  )
}

function OwnModel({ config, onRemove }: { config: BrowserModelConfig; onRemove: () => void }) {
  const { label, kind, server, contextTokens } = config
  return (
    <div className={line}>
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <ForeignText text={label} reading="prose" />
        </span>
        <small className="block text-sm wrap-anywhere text-muted">
          {t('own.facts', {
            kind: t('models-dialog.by', { kind }),
            address: server?.address ?? '',
            hasKey: server?.key != null,
            contextTokens,
          })}
        </small>
      </span>
      <Button
        look="danger"
        aria-label={labelOf(t('models-dialog.remove-named', { name: asUntrusted(label) }))}
        onClick={onRemove}
      >
        {t('models-dialog.remove')}
      </Button>
    </div>
  )
}

/** The models of the operator's configuration, and its errors. */
function ServerModels({ models: known }: { models: ModelsResponse }) {
  const { models, defaultModel } = known
  const problems = problemsOfModels(known)
  const listed = models.filter(({ id }) => !isBrowserModel(id))
  // The demo comes with Nod.
  const configured = listed.filter(({ simulated }) => !simulated)
  return (
    <section className={part} aria-label={t('models-dialog.server')}>
      <h3 className="text-md font-strong">{t('models-dialog.server-head')}</h3>
      <p className={modelsNote()}>{t('server.facts', { count: configured.length })}</p>
      {problems.length === 0 ? null : (
        <ul className="grid gap-1 text-sm text-danger wrap-anywhere">
          {problems.map((problem) => (
            <li key={problem}>
              <SentenceText text={problem} />
            </li>
          ))}
        </ul>
      )}
      <div className={rows()}>
        {listed.map(({ contextTokens, ...model }) => (
          <div className={line} key={model.id}>
            <span className="min-w-0 flex-1">
              <span className="block truncate">
                <ForeignText text={modelLabel(model)} />
              </span>
              <small className="block truncate text-sm text-muted">
                {t('server.model', {
                  provider: model.providerLabel,
                  contextTokens,
                  isDefault: model.id === defaultModel,
                })}
              </small>
            </span>
          </div>
        ))}
      </div>
    </section>
  )
}

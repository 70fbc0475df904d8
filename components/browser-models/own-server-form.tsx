'use client'

import { useEffect, useId, useRef, useState, type FormEvent, type RefObject } from 'react'
import { Button } from '@/components/ui/controls/button'
import { hint, field, checkBox, checkLabel } from '@/components/ui/recipes/field'
import { row, notice } from '@/components/ui/recipes/surface'
import { Select } from '@/components/ui/forms/select'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import type { BrowserModelConfig } from '@/lib/client/browser-models/browser-model'
import {
  adviceOf,
  type Advice,
  examine,
  type Finding,
  type PageFacts,
  type ServerToExamine,
  readAddress,
  usualAddress,
  type ServerKindId,
} from '@/lib/client/browser-models/doctor/examine'
import { pageFacts } from '@/lib/client/wiring/models/page-facts.browser'
import { ownServers } from '@/lib/client/wiring/models/tab-models.browser'
import { newConfig } from './new-config'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'

/** The result of a connection test, with the lines to paste and where. */
function AdviceBox({ advice: { ok, message, fixes } }: { advice: Advice }) {
  return (
    <div className={notice({ tone: ok ? undefined : 'warn' })} role={ok ? 'status' : 'alert'}>
      <Icon name={ok ? 'ok' : 'warn'} />
      <div className="grid min-w-0 flex-1 gap-2">
        <p className="m-0 text-pretty wrap-anywhere">
          <SentenceText text={message} />
        </p>
        {fixes.map(({ how, paste }) => (
          <div className="grid gap-1" key={paste}>
            <span className="text-sm text-muted">{how}</span>
            <span className="flex items-start gap-2 rounded-md border border-line bg-sunken px-2.5 py-1.5">
              <code className="min-w-0 flex-1 font-mono text-mono wrap-anywhere">{paste}</code>
              <CopyButton text={() => paste} />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

export interface AddFormProps {
  readonly taken: ReadonlySet<string>
  readonly onAdd: (config: BrowserModelConfig) => Promise<void>
}

const exampleAddress = 'https://api.openai.com/v1'

const kindsOf = (): readonly { readonly value: ServerKindId; readonly label: string }[] => [
  { value: 'ollama', label: 'Ollama' },
  { value: 'lm-studio', label: 'LM Studio' },
  { value: 'openai-compatible', label: t('models-dialog.kind-other') },
]

/**
 * The result of a connection test. Its text is made when it is shown, in the current language. Null if the input is not
 * an address.
 */
type Tested = { readonly finding: Finding; readonly server: ServerToExamine; readonly page: PageFacts } | null

const adviceOfTest = (tested: Tested): Advice =>
  tested
    ? adviceOf(tested.finding, tested.server, tested.page)
    : { ok: false, message: t('doctor.no-address'), fixes: [] }

/** Connects a server that this browser reaches directly: tests it, lists its models and adds one. */
export function OwnServerForm({ taken, onAdd, way }: AddFormProps & { way?: ServerKindId }) {
  const id = useId()
  const [kind, setKind] = useState<ServerKindId>(way ?? 'ollama')
  const [address, setAddress] = useState(way === 'openai-compatible' ? '' : usualAddress[kind])
  const [key, setKey] = useState('')
  const [testing, setTesting] = useState(false)
  const [tested, setTested] = useState<Tested | undefined>(undefined)
  const [name, setName] = useState('')
  const [window, setWindow] = useState('')
  const [sees, setSees] = useState(false)
  const start = useFocusOnOpen<HTMLFormElement>(
    way !== undefined,
    way === 'openai-compatible' ? 'input' : 'button[type=submit]',
  )
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const changed = () => {
    running.current?.abort()
    setTested(undefined)
  }
  const models = tested?.finding.found === 'models' ? tested.finding.models : []
  const choose = (next: ServerKindId) => {
    changed()
    if (address === '' || address === usualAddress[kind]) setAddress(usualAddress[next])
    setKind(next)
  }
  const pick = (next: string, of = models) => {
    const found = of.find((model) => model.name === next)
    const listedTokens = found?.contextTokens ?? null
    setName(next)
    setSees(found?.seesImages ?? false)
    setWindow(listedTokens === null ? '' : String(listedTokens))
  }
  const test = async (event: FormEvent) => {
    event.preventDefault()
    changed()
    const read = readAddress(kind, address)
    if (!read.ok) return setTested(null)
    const abort = new AbortController()
    running.current = abort
    setTesting(true)
    try {
      const page = await pageFacts()
      const server = { kind, address: read.value, key: key.trim() === '' ? null : key.trim() }
      const finding = await examine(server, page, ownServers, abort.signal)
      const found = finding.found === 'models' ? finding.models : []
      setTested({ finding, server, page })
      pick(found[0]?.name ?? '', found)
    } catch {
      // The form was changed in the meantime and has to be tested again.
    } finally {
      if (running.current === abort) setTesting(false)
    }
  }
  const add = () => {
    if (!tested) return
    const tokens = Number(window)
    const contextTokens = window.trim() === '' || !Number.isSafeInteger(tokens) || tokens < 1 ? null : tokens
    const server = { address: tested.server.address, key: tested.server.key }
    return onAdd(newConfig({ kind, name, contextTokens, seesImages: sees, server }, taken))
  }
  return (
    <form ref={start} className="grid gap-3" onSubmit={(event) => void test(event)}>
      <SegmentedControl label={t('models-dialog.kind')} value={kind} options={kindsOf()} onChange={choose} />
      <label className="grid gap-1">
        {t('models-dialog.address')}
        <input
          className={field()}
          type="text"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={exampleAddress}
          aria-invalid={tested === null}
          aria-describedby={tested === undefined ? undefined : `${id}-found`}
          value={address}
          onChange={(event) => {
            changed()
            setAddress(event.target.value)
          }}
        />
      </label>
      <div className="grid gap-1">
        <label htmlFor={`${id}-key`}>
          {t('models-dialog.key')} <span className="text-muted">{t('models-dialog.key-if')}</span>
        </label>
        <input
          id={`${id}-key`}
          className={field()}
          type="password"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-kept`}
          value={key}
          onChange={(event) => {
            changed()
            setKey(event.target.value)
          }}
        />
        <small className={hint()} id={`${id}-kept`}>
          {t('kept.where')}
        </small>
      </div>
      <div className={row()}>
        <Button type="submit" disabled={testing}>
          {t('wait.test-it')}
        </Button>
        {testing ? <Wait what={t('wait.test')} /> : null}
      </div>
      <div aria-live="polite" id={`${id}-found`}>
        {tested === undefined ? null : <AdviceBox advice={adviceOfTest(tested)} />}
      </div>
      {models.length > 0 ? (
        <div className="flex flex-wrap items-end gap-3">
          <span className="grid gap-1">
            {t('models-dialog.model')}
            <Select
              boxed
              label={t('models-dialog.model-of')}
              value={name}
              options={models.map((model) => ({ value: model.name, label: model.name }))}
              onChange={(next) => pick(next)}
            />
          </span>
          <label className="grid w-36 gap-1">
            {t('models-dialog.window')}
            <input
              className={field()}
              type="text"
              inputMode="numeric"
              placeholder={t('models-dialog.window-unknown')}
              value={window}
              onChange={(event) => setWindow(event.target.value)}
            />
          </label>
          <label className={checkLabel()}>
            <input
              className={checkBox()}
              type="checkbox"
              checked={sees}
              onChange={(event) => setSees(event.target.checked)}
            />{' '}
            {t('models-dialog.sees-images')}
          </label>
          <Button look="ink" onClick={() => void add()}>
            {t('models-dialog.add')}
          </Button>
        </div>
      ) : null}
    </form>
  )
}

/** Scrolls a part of a dialog into view when the dialog opens and focuses the element that matches `selector`. */
export function useFocusOnOpen<T extends HTMLElement>(isWanted: boolean, selector: string): RefObject<T | null> {
  const part = useRef<T>(null)
  useEffect(() => {
    if (!isWanted) return
    // The dialog focuses its first button when it opens, so this has to run later.
    const frame = requestAnimationFrame(() => {
      part.current?.scrollIntoView({ block: 'nearest' })
      part.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [isWanted, selector])
  return part
}

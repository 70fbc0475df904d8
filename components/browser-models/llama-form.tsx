'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useId, useRef, useState, type FormEvent } from 'react'
import { Button } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { rows, checkBox, checkLabel, field } from '@/components/ui/recipes/field'
import { progressBar } from '@/components/ui/recipes/recipe'
import type { BrowserModelConfig } from '@/lib/client/browser-models/browser-model'
import { choiceKey } from '@/lib/client/browser-models/wllama/choice'
import { whyItCantRun, type WasmPort } from '@/lib/client/browser-models/wllama/weights/memory'
import { wllamaPage, type WllamaPage } from '@/lib/client/browser-models/wllama/page.browser'
import type { StoredWeights } from '@/lib/client/browser-models/wllama/protocol'
import { t } from '@/lib/i18n/t'
import { modelsNote } from './new-config'
import { useWeights, whatFailed, type WeightsPart } from './use-weights'

const exampleAddress = 'https://huggingface.co/…/model-q4_0.gguf'

interface LlamaFormProps {
  readonly onAdd: (config: BrowserModelConfig) => Promise<void>
  readonly page?: WllamaPage
  /** The browser's WebAssembly support; tests replace it. */
  readonly wasm?: WasmPort
}

/** Adds a model that runs in this browser: downloaded from an address, picked from the disk, or stored before. */
export function LlamaForm({ onAdd, page = wllamaPage(), wasm = globalThis }: LlamaFormProps) {
  const weights = useWeights(page, onAdd)
  const { kept, seen, busy, problem } = weights.state
  const problemOf = (of: WeightsPart) => (problem?.of === of ? whatFailed(problem) : null)
  // Checked before a model is downloaded that could never run. Models stored by another browser version can still be
  // removed.
  const [lacks] = useState(() => whyItCantRun(wasm))
  return (
    <section className="grid gap-3" aria-label={t('models-dialog.llama')}>
      <h3 className="text-md font-strong">{t('models-dialog.llama')}</h3>
      <p className={modelsNote()}>{t('llama.about')}</p>
      {lacks === null ? null : (
        <p className="text-sm text-pretty" role="note">
          {t(lacks)}
        </p>
      )}
      {lacks === null ? (
        <AddressLine
          isBusy={busy !== null}
          problem={problemOf('address')}
          onLook={(address) => void weights.see(address)}
        />
      ) : null}
      {seen === null ? null : (
        <div className="flex flex-wrap items-center gap-3">
          <span className="min-w-0 flex-1 basis-48 text-sm">
            <SentenceText text={t('llama.seen', { ...seen, has: partHere(seen) })} />
          </span>
          <Button look="ink" disabled={busy !== null} onClick={() => void weights.fetch(seen.address)}>
            {t('models-dialog.llama-fetch')}
          </Button>
        </div>
      )}
      {lacks === null ? (
        <PickLine
          isBusy={busy !== null}
          problem={problemOf('file')}
          onPick={(file, isCopied) => void weights.pick(file, isCopied)}
        />
      ) : null}
      {busy === null ? null : <Progress busy={busy} onStop={weights.stop} />}
      <Problem words={problemOf('kept')} />
      {kept === null || kept.length === 0 ? null : (
        <div className={rows()}>
          {kept.map((each) => (
            <KeptLine
              key={each.id}
              weights={each}
              isLoaded={page.runner.isLoadedFrom(choiceKey({ kind: 'kept', id: each.id, name: each.name }))}
              isBusy={busy !== null}
              canRun={lacks === null}
              onAdd={() => void weights.addKept(each)}
              onGoOn={() => void (each.address !== null && weights.fetch(each.address, 'kept'))}
              onRemove={() => void weights.remove(each)}
            />
          ))}
        </div>
      )}
    </section>
  )
}

interface ProblemProps {
  readonly words: string | null
  /** The id that the field refers to. */
  readonly id?: string
}

/** Shows an error beside the control that caused it. */
function Problem({ words, id }: ProblemProps) {
  return words === null ? null : (
    <p className="text-sm text-pretty text-danger" role="alert" id={id}>
      <SentenceText text={words} />
    </p>
  )
}

interface AddressLineProps {
  readonly isBusy: boolean
  readonly problem: string | null
  readonly onLook: (address: string) => void
}

function AddressLine({ isBusy, problem, onLook }: AddressLineProps) {
  const id = useId()
  const [address, setAddress] = useState('')
  const look = (event: FormEvent) => {
    event.preventDefault()
    onLook(address)
  }
  return (
    <form className="grid gap-1" onSubmit={look}>
      <label htmlFor={id}>{t('models-dialog.llama-address')}</label>
      <span className="flex gap-2">
        <input
          id={id}
          className={field()}
          type="text"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={exampleAddress}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
        <Button type="submit" disabled={isBusy || address.trim() === ''}>
          {t('models-dialog.llama-look')}
        </Button>
      </span>
      <Problem words={problem} id={`${id}-problem`} />
    </form>
  )
}

interface PickLineProps {
  readonly isBusy: boolean
  readonly problem: string | null
  readonly onPick: (file: File, isCopied: boolean) => void
}

function PickLine({ isBusy, problem, onPick }: PickLineProps) {
  const id = useId()
  const file = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  return (
    <div className="grid gap-1">
      <span id={id}>{t('models-dialog.llama-file')}</span>
      <div>
        <Button
          disabled={isBusy}
          aria-describedby={problem === null ? id : `${id} ${id}-problem`}
          onClick={() => file.current?.click()}
        >
          {t('models-dialog.llama-choose')}
        </Button>
      </div>
      <FileField
        field={file}
        label={t('models-dialog.llama-file')}
        accept=".gguf"
        disabled={isBusy}
        onPick={([picked]) => picked && onPick(picked, isCopied)}
      />
      <Problem words={problem} id={`${id}-problem`} />
      <label className={checkLabel()}>
        <input className={checkBox()} type="checkbox" checked={isCopied} onChange={() => setCopied(!isCopied)} />
        {t('models-dialog.llama-keep')}
      </label>
      <p className={modelsNote()}>{t('llama.file-about')}</p>
    </div>
  )
}

function Progress({
  busy,
  onStop,
}: {
  busy: { readonly done: number; readonly total: number } | 'looking'
  onStop: () => void
}) {
  return (
    <div className="flex items-center gap-3 text-sm">
      {busy === 'looking' ? (
        <span className="flex-1">{t('models-dialog.llama-looking')}</span>
      ) : (
        <>
          <progress
            className={progressBar({}, 'min-w-0 flex-1')}
            aria-label={t('models-dialog.llama-bytes')}
            value={busy.done}
            max={busy.total}
          />
          <span className="tabular-nums">{t('llama.moving', busy)}</span>
        </>
      )}
      <Button onClick={onStop}>{t('models-dialog.llama-stop')}</Button>
    </div>
  )
}

interface KeptLineProps {
  readonly weights: StoredWeights
  readonly isLoaded: boolean
  readonly isBusy: boolean
  readonly canRun: boolean
  readonly onAdd: () => void
  readonly onGoOn: () => void
  readonly onRemove: () => void
}

function KeptLine({ weights, isLoaded, isBusy, canRun, onAdd, onGoOn, onRemove }: KeptLineProps) {
  const { name, bytes, keptBytes, isWhole, address } = weights
  return (
    <div className="flex flex-wrap items-center gap-2 px-3.5 py-2 not-first:border-t not-first:border-line">
      <span className="min-w-0 flex-1 basis-40">
        <span className="block truncate">
          <ForeignText text={name} />
        </span>
        <span className="block text-sm text-muted">
          {t('llama.kept', { bytes, keptBytes, isLoaded, has: partHere(weights) })}
        </span>
      </span>
      {!canRun ? null : isWhole ? (
        <Button
          disabled={isBusy}
          aria-label={labelOf(t('models-dialog.add-named', { name: asUntrusted(name) }))}
          onClick={onAdd}
        >
          {t('models-dialog.add')}
        </Button>
      ) : address === null ? null : (
        <Button
          disabled={isBusy}
          aria-label={labelOf(t('models-dialog.llama-go-on-named', { name: asUntrusted(name) }))}
          onClick={onGoOn}
        >
          {t('models-dialog.llama-go-on')}
        </Button>
      )}
      <Button
        disabled={isBusy}
        aria-label={labelOf(t('models-dialog.remove-named', { name: asUntrusted(name) }))}
        onClick={onRemove}
      >
        {t('models-dialog.remove')}
      </Button>
    </div>
  )
}

/** How much of a model this browser has stored. */
const partHere = ({ bytes, keptBytes }: { readonly bytes: number; readonly keptBytes: number }) =>
  keptBytes === 0 ? 'none' : keptBytes < bytes ? 'part' : 'all'

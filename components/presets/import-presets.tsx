'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useRef, useState } from 'react'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { useChat } from '@/components/context/chat-context'
import { useBuiltInTools } from '@/components/context/tools-context'
import { Button } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { checkBox, checkLabel } from '@/components/ui/recipes/field'
import { TextExcerpt } from '@/components/ui/text/text-excerpt'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/page/wait'
import { settingsOfNew } from '@/lib/client/chats/new-conversation'
import {
  maxPresetFileBytes,
  readPresetFile,
  type ReadPreset,
  type ReadPresetFile,
} from '@/lib/shared/conversation/settings/preset-and-project-files'
import { stricterSetup } from '@/lib/shared/conversation/wire/setup-rights'
import { localPresets } from '@/lib/client/wiring/presets.browser'
import { rightSentences, setupFacts } from './initial-settings'

interface ImportPresetsProps {
  readonly onClose: () => void
  /** Receives the result as a sentence. */
  readonly onDone: (words: string) => void
}

type Choice = Readonly<Record<'take' | 'rights', ReadonlySet<ReadPreset>>>

/**
 * Imports presets from a file, each if checked. Permissions beyond those of new chats are imported only if checked too.
 */
export default function ImportPresets({ onClose, onDone }: ImportPresetsProps) {
  const models = useChat((state) => state.models)
  const [file, setFile] = useState<ReadPresetFile | null>(null)
  const [choice, setChoice] = useState<Choice>({ take: new Set(), rights: new Set() })
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const read = async (chosen: File) => {
    setProblem(null)
    if (chosen.size > maxPresetFileBytes) {
      return setProblem(t('presets.file-large', { size: chosen.size, most: maxPresetFileBytes }))
    }
    const text = await chosen.text().catch(() => null)
    if (text === null) return setProblem(t('presets.file-unread'))
    const found = readPresetFile(text)
    if (!found) return setProblem(t('presets.no-file'))
    setChoice({ take: new Set(found.presets), rights: new Set() })
    setFile(found)
  }
  const importThem = async (presets: readonly ReadPreset[]) => {
    setBusy(true)
    const own = settingsOfNew(models)
    let done = 0
    for (const preset of presets) {
      const { name, setup, prompt } = preset
      const taken = setup && !choice.rights.has(preset) ? stricterSetup(setup, own) : setup
      if (!(await localPresets().add(name, { setup: taken, ...(prompt !== undefined && { prompt }) }))) break
      done += 1
    }
    setBusy(false)
    if (done === presets.length) {
      onDone(t('presets.imported', { count: done }))
      return onClose()
    }
    const why = localPresets().getState().problem ?? ''
    setProblem(t('presets.import-part', { done, count: presets.length, why }))
    // Presets that were imported already are not imported twice.
    setChoice({ ...choice, take: new Set(presets.slice(done)) })
  }
  const taken = file?.presets.filter((preset) => choice.take.has(preset)) ?? []
  return (
    <Dialog label={t('presets.import-title')} onClose={onClose}>
      <h2>{t('presets.import-title')}</h2>
      {file === null ? (
        <p>{t('presets.import-about')}</p>
      ) : (
        <>
          <p>{t('presets.found', { count: file.presets.length })}</p>
          {file.unreadable > 0 ? <p>{t('presets.unreadable', { count: file.unreadable })}</p> : null}
          {file.unknown.length > 0 ? (
            <p>
              <SentenceText
                text={t('presets.unknown-fields', {
                  fields: file.unknown.map(asUntrusted),
                  count: file.unknown.length,
                })}
              />
            </p>
          ) : null}
          <ul className="mt-2 grid gap-4">
            {file.presets.map((preset, at) => (
              <Brought key={at} preset={preset} choice={choice} onChoice={setChoice} />
            ))}
          </ul>
        </>
      )}
      {problem === null ? null : (
        <p role="alert">
          <SentenceText text={problem} />
        </p>
      )}
      {busy ? <Wait what={t('wait.presets')} /> : null}
      <DialogFoot>
        <Button onClick={onClose}>{t('presets.cancel')}</Button>
        {file === null || file.presets.length === 0 ? (
          <Button look="ink" onClick={() => input.current?.click()}>
            {t('presets.choose')}
          </Button>
        ) : (
          <Button look="ink" disabled={busy || taken.length === 0} onClick={() => void importThem(taken)}>
            {t('presets.import-them', { count: taken.length })}
          </Button>
        )}
      </DialogFoot>
      <FileField
        field={input}
        label={t('presets.file')}
        accept=".json,application/json"
        onPick={([chosen]) => chosen && void read(chosen)}
      />
    </Dialog>
  )
}

interface BroughtProps {
  readonly preset: ReadPreset
  readonly choice: Choice
  readonly onChoice: (choice: Choice) => void
}

/** One preset of the file: its facts, its whole prompt, and its permissions. */
function Brought({ preset, choice, onChoice }: BroughtProps) {
  const models = useChat((state) => state.models)
  const tools = useBuiltInTools()
  const { name, setup, prompt } = preset
  const own = settingsOfNew(models)
  const rights = setup ? rightSentences(setup, own) : []
  const tick = (which: keyof Choice) => {
    const next = new Set(choice[which])
    if (!next.delete(preset)) next.add(preset)
    onChoice({ ...choice, [which]: next })
  }
  const isTaken = choice.take.has(preset)
  const takesRights = choice.rights.has(preset)
  const facts = [
    ...(setup ? setupFacts(takesRights ? setup : stricterSetup(setup, own), models, tools) : []),
    ...(prompt === undefined ? [] : [t('presets.fact.message', { chars: prompt.length })]),
  ]
  return (
    <li className="min-w-0">
      <label className={checkLabel({}, 'max-w-full')}>
        <input className={checkBox()} type="checkbox" checked={isTaken} onChange={() => tick('take')} />
        <span className="min-w-0 font-medium wrap-anywhere">
          <SentenceText text={t('presets.take', { name: asUntrusted(name) })} />
        </span>
      </label>
      <div className="grid gap-2 ps-7 text-sm wrap-anywhere text-muted">
        <span>
          <SentenceText text={facts.join(' · ')} />
        </span>
        {!setup || setup.systemPrompt === '' ? null : (
          <TextExcerpt label={t('presets.its-prompt')} text={setup.systemPrompt} />
        )}
        {prompt === undefined ? null : <TextExcerpt label={t('presets.its-message')} text={prompt} />}
        {rights.length === 0 ? null : (
          <div>
            <span className="text-warn">{t('presets.rights')}</span>
            <ul className="list-disc ps-4">
              {rights.map((right) => (
                <li key={right}>
                  <SentenceText text={right} />
                </li>
              ))}
            </ul>
            <label className={checkLabel()}>
              <input
                className={checkBox()}
                type="checkbox"
                aria-label={visibleText(`${t('presets.take-rights')}: ${name}`, 'prose')}
                checked={takesRights}
                onChange={() => tick('rights')}
              />
              {t('presets.take-rights')}
            </label>
            {takesRights ? null : <p>{t('presets.rights-left')}</p>}
          </div>
        )}
      </div>
    </li>
  )
}

'use client'

import { Switch } from '@/components/ui/forms/switch'
import { hint, rows, textArea } from '@/components/ui/recipes/field'
import type { ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { memoryTool, maxMemoryChars, type Memory, maxMemoryTokens } from '@/lib/shared/conversation/settings/project'
import { useEffect, useId, useState } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { Wait } from '@/components/ui/page/wait'
import { useLanguage } from '@/components/ui/page/use-language'
import { codeBox } from '@/components/ui/recipes/recipe'
import { row } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { localMemories } from '@/lib/client/wiring/projects.browser'
import { t } from '@/lib/i18n/t'
import { useMemory } from './use-projects'

/** The same settings with memory on or off. */
export const withMemoryUsed = <S extends Pick<ChatSetup, 'tools'>>(settings: S, used: boolean): S => ({
  ...settings,
  tools: { ...settings.tools, toolToggles: { ...settings.tools.toolToggles, [memoryTool]: used } },
})

interface MemorySwitchProps {
  readonly label: string
  readonly about: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (used: boolean) => void
}

export function MemorySwitch({ label, about, checked, disabled = false, onChange }: MemorySwitchProps) {
  return (
    <div className={rows()}>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3.5 py-2">
        <div>
          <SentenceText text={label} />
          <small className={hint()}>{about}</small>
        </div>
        <Switch
          className="col-start-2 self-center"
          label={label}
          checked={checked}
          disabled={disabled}
          onChange={onChange}
        />
      </div>
    </div>
  )
}

/** Shows and edits a memory's text, with its earlier versions. `project` null: the user's own memory. */
export default function MemoryEditor({ project }: { project: string | null }) {
  useLanguage()
  const memory = useMemory(project)
  const [problem, setProblem] = useState<string | null>(null)
  const load = () => void localMemories().load(project).then(setProblem)
  useEffect(() => void localMemories().load(project).then(setProblem), [project])
  if (memory) return <Editor key={project} project={project} memory={memory} />
  if (problem === null) return <Wait what={t('memory.loading')} />
  return (
    <p className={hint({ tone: 'bad' })} role="alert">
      <SentenceText text={t('memory.not-loaded', { why: problem })} />{' '}
      <TextButton onClick={load}>{t('memory.retry')}</TextButton>
    </p>
  )
}

function Editor({ project, memory }: { project: string | null; memory: Memory }) {
  const size = useId()
  const [draft, setDraft] = useState<string | null>(null)
  /** The version on which the draft is based, so that later changes are not overwritten. */
  const [base, setBase] = useState(memory.version)
  const [problem, setProblem] = useState<string | null>(null)
  const [saved, setSaved] = useState(false)
  const text = draft ?? memory.text
  const tokens = estimateTokens(text)
  const put = async (next: string, version: number) => {
    const why = await localMemories().change(project, { text: next, version })
    setProblem(why)
    setSaved(why === null)
    if (why === null) setDraft(null)
  }
  return (
    <div className="grid gap-2">
      <textarea
        className={textArea({ holds: 'code' }, 'max-h-96 min-h-28')}
        aria-label={t('memory.text')}
        aria-describedby={size}
        rows={5}
        maxLength={maxMemoryChars}
        placeholder={t('memory.placeholder')}
        dir="auto"
        value={text}
        onChange={(event) => {
          if (draft === null) setBase(memory.version)
          setDraft(event.target.value)
          setSaved(false)
        }}
      />
      <div className={row()}>
        <small className={hint({}, 'me-auto')} id={size}>
          {tokens > maxMemoryTokens ? t('memory.cut', { tokens, most: maxMemoryTokens }) : t('memory.size', { tokens })}
        </small>
        <span role="status" className="text-sm text-muted">
          {saved ? t('memory.saved') : ''}
        </span>
        <Button disabled={draft === null || draft === memory.text} onClick={() => void put(text, base)}>
          {t('memory.save')}
        </Button>
      </div>
      {problem === null ? null : (
        <p className={hint({ tone: 'bad' })} role="alert">
          <SentenceText text={t('memory.not-saved', { why: problem })} />{' '}
          <TextButton
            onClick={() => {
              setDraft(null)
              void localMemories().load(project).then(setProblem)
            }}
          >
            {t('memory.reload')}
          </TextButton>
        </p>
      )}
      {memory.earlier.length === 0 ? null : (
        <Earlier memory={memory} onRestore={(old) => void put(old, memory.version)} />
      )}
    </div>
  )
}

function Earlier({ memory, onRestore }: { memory: Memory; onRestore: (text: string) => void }) {
  return (
    <details className="text-sm text-muted">
      <summary className="cursor-pointer py-1 pointer-coarse:py-2.5">
        {t('memory.earlier', { count: memory.earlier.length })}
      </summary>
      <ol className="grid gap-3 pt-1">
        {memory.earlier.map(({ text, at }) => (
          <li key={at} className="grid gap-1">
            <div className={row()}>
              <span className="me-auto">{t('memory.earlier-at', { at })}</span>
              <TextButton onClick={() => onRestore(text)}>{t('memory.restore')}</TextButton>
            </div>
            <pre className={codeBox({ pad: 'all' }, 'max-h-40 overflow-y-auto wrap-anywhere whitespace-pre-wrap')}>
              <SentenceText text={text === '' ? t('memory.empty') : text} />
            </pre>
          </li>
        ))}
      </ol>
    </details>
  )
}

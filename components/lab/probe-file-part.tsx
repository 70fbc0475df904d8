'use client'

import { useRef, useState } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import { labNote } from './lab-styles'
import { formatBytes } from '@/lib/base/text/locale'
import { importLimits, importProbes } from '@/lib/client/lab/import/import-probes'
import type { ProbeFile } from '@/lib/client/lab/lab-journal'
import type { Probe } from '@/lib/client/lab/probe'
import { pause } from './use-lab'

interface ProbeFileState {
  /** Null: the built-in probes. */
  readonly file: ProbeFile | null
  readonly probes: readonly Probe[]
  /** Problems of the last file, whether it was accepted or not. */
  readonly problems: readonly string[]
  readonly problemCount: number
  readonly isReading: boolean
  readonly read: (files: readonly File[]) => Promise<void>
  readonly forget: () => void
}

/** Probes from the user's file. The old probes stay until a file contains some. */
export function useProbeFile(): ProbeFileState {
  const [taken, setTaken] = useState<{ readonly file: ProbeFile; readonly probes: readonly Probe[] } | null>(null)
  const [report, setReport] = useState<{ readonly problems: readonly string[]; readonly count: number }>(nothing)
  const [isReading, setReading] = useState(false)

  return {
    file: taken?.file ?? null,
    probes: taken?.probes ?? [],
    problems: report.problems,
    problemCount: report.count,
    isReading,
    forget() {
      setTaken(null)
      setReport(nothing)
    },
    async read(files) {
      const tooLarge = files.find(({ size }) => size > importLimits.fileBytes)
      if (tooLarge) {
        const values = { size: formatBytes(tooLarge.size), most: formatBytes(importLimits.fileBytes) }
        setReport({ problems: [t('lab.import.probes-too-large', values)], count: 1 })
        return
      }
      setReading(true)
      try {
        const texts = await Promise.all(files.map((file) => file.text()))
        const file = asProbeFile(files, texts)
        const { probes, problems, problemCount } = await importProbes(file, { pause })
        setReport({ problems, count: problemCount })
        if (probes.length > 0) setTaken({ file, probes })
      } catch {
        setReport({ problems: [t('lab.import.nothing')], count: 1 })
      } finally {
        setReading(false)
      }
    },
  }
}

const nothing = { problems: [], count: 0 } as const

/** If there are two files, the one with questions, whatever its name. */
function asProbeFile(files: readonly File[], texts: readonly string[]): ProbeFile {
  const head = (text: string) => text.slice(0, 20_000)
  const questions = Math.max(
    0,
    texts.findIndex((text) => head(text).includes('"question"')),
  )
  const answers = texts.find((text, at) => at !== questions && head(text).includes('"ground_truth"'))
  return { name: files[questions]?.name ?? '', questions: texts[questions] ?? '', answers: answers ?? null }
}

const SHOWN = 8

/** Uses a file's probes instead of the built-in ones, and shows what could not be used. */
export function ProbeFilePart({ state }: { state: ProbeFileState }) {
  const input = useRef<HTMLInputElement>(null)
  const { file, probes, problems, problemCount, isReading } = state
  const more = problemCount - Math.min(problems.length, SHOWN)
  return (
    <div className="flex min-w-56 flex-1 flex-col gap-1">
      <span className="font-medium">{t('lab-page.own-probes')}</span>
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={isReading} onClick={() => input.current?.click()}>
          {t(isReading ? 'lab-page.file-reading' : 'lab-page.file-import')}
        </Button>
        <FileField
          field={input}
          label={t('lab-page.file-label')}
          multiple
          accept=".json,.jsonl,.ndjson,application/json"
          onPick={(files) => void state.read(files)}
        />
        {file === null ? (
          <span className={labNote}>{t('lab-page.file-about')}</span>
        ) : (
          <span className={labNote}>
            <ForeignText text={file.name} /> ·{' '}
            <TextButton onClick={state.forget}>{t('lab-page.file-forget')}</TextButton>
          </span>
        )}
      </div>
      {file !== null || problems.length > 0 ? (
        <div className={labNote} role="status">
          {file === null ? null : t('lab.imported', { count: probes.length, left: problemCount })}
          {problems.length === 0 ? null : (
            <ul className="mt-1 list-disc ps-5">
              {problems.slice(0, SHOWN).map((problem) => (
                <li key={problem}>
                  <SentenceText text={problem} />
                </li>
              ))}
              {more > 0 ? <li>{t('lab-page.file-more', { count: more })}</li> : null}
            </ul>
          )}
        </div>
      ) : null}
    </div>
  )
}

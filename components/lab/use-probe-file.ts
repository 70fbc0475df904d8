'use client'

import { useState } from 'react'
import { formatBytes } from '@/lib/base/text/format-bytes'
import { t } from '@/lib/i18n/t'
import { importLimits, importProbes } from '@/lib/client/lab/import/import-probes'
import type { ProbeFile } from '@/lib/client/lab/lab-journal'
import type { Probe } from '@/lib/client/lab/probe'
import { pause } from './pause'

export interface ProbeFileState {
  /** Null: our own probes. */
  readonly file: ProbeFile | null
  readonly probes: readonly Probe[]
  /** Of the file that was read last, whether or not it was taken. */
  readonly problems: readonly string[]
  readonly problemCount: number
  readonly isReading: boolean
  readonly read: (files: readonly File[]) => Promise<void>
  readonly forget: () => void
}

/** Probes of somebody's own file: what was there stays until a file holds some. */
export function useProbeFile(): ProbeFileState {
  const [taken, setTaken] = useState<{ readonly file: ProbeFile; readonly probes: readonly Probe[] } | null>(null)
  const [told, setTold] = useState<{ readonly problems: readonly string[]; readonly count: number }>(nothing)
  const [isReading, setReading] = useState(false)

  return {
    file: taken?.file ?? null,
    probes: taken?.probes ?? [],
    problems: told.problems,
    problemCount: told.count,
    isReading,
    forget() {
      setTaken(null)
      setTold(nothing)
    },
    async read(files) {
      const tooLarge = files.find(({ size }) => size > importLimits.fileBytes)
      if (tooLarge) {
        const values = { size: formatBytes(tooLarge.size), most: formatBytes(importLimits.fileBytes) }
        setTold({ problems: [t('lab.import.probes-too-large', values)], count: 1 })
        return
      }
      setReading(true)
      try {
        const texts = await Promise.all(files.map((file) => file.text()))
        const file = asProbeFile(files, texts)
        const { probes, problems, problemCount } = await importProbes(file, { pause })
        setTold({ problems, count: problemCount })
        if (probes.length > 0) setTaken({ file, probes })
      } catch {
        setTold({ problems: [t('lab.import.nothing')], count: 1 })
      } finally {
        setReading(false)
      }
    },
  }
}

const nothing = { problems: [], count: 0 } as const

/** Of two files the one with questions, whatever they are called. */
function asProbeFile(files: readonly File[], texts: readonly string[]): ProbeFile {
  const head = (text: string) => text.slice(0, 20_000)
  const questions = Math.max(
    0,
    texts.findIndex((text) => head(text).includes('"question"')),
  )
  const answers = texts.find((text, at) => at !== questions && head(text).includes('"ground_truth"'))
  return { name: files[questions]?.name ?? '', questions: texts[questions] ?? '', answers: answers ?? null }
}

'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import type { KeptLab } from '@/lib/lab/lab-journal'
import { runLab, type LabProgress } from '@/lib/lab/lab-runner'
import type { Probe } from '@/lib/lab/probe'
import { reportPaceMs } from '@/lib/lab/report-pace'
import type { TrialRecord } from '@/lib/lab/trial-record'
import { labPorts } from '@/lib/wiring/lab.browser'
import { t } from '@/lib/i18n/t'

export interface LabRun {
  readonly progress: LabProgress | null
  readonly isRunning: boolean
  /** Whether one is under way, also before the page was told. */
  readonly isBusy: () => boolean
  /** Plays what has no record yet; gives all records at the end. `show` hears of them now and then. */
  readonly play: (
    lab: KeptLab,
    probes: readonly Probe[],
    before: readonly TrialRecord[],
    show: (records: readonly TrialRecord[]) => void,
  ) => Promise<readonly TrialRecord[]>
  readonly stop: () => void
  /** Another lab is looked at. */
  readonly clear: () => void
}

/** One run of a lab in this page; `onTrouble` hears that a trial could not be kept, which ends it. */
export function useLabRun(onTrouble: (sentence: string) => void): LabRun {
  const [progress, setProgress] = useState<LabProgress | null>(null)
  const [isRunning, setRunning] = useState(false)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const clear = useCallback(() => setProgress(null), [])
  const isBusy = useCallback(() => running.current !== null, [])

  return {
    progress,
    isRunning,
    isBusy,
    clear,
    stop: () => running.current?.abort(),
    async play(lab, probes, before, show) {
      const abort = new AbortController()
      running.current = abort
      setRunning(true)
      const all = [...before]
      let shownAt = 0
      const keep = async (record: TrialRecord) => {
        try {
          await labPorts.journal.keep(lab.setup.id, record)
        } catch {
          onTrouble(t('lab.trouble.not-kept'))
          abort.abort()
          return
        }
        all.push(record)
        const at = performance.now()
        if (at - shownAt < reportPaceMs(all.length)) return
        shownAt = at
        show([...all])
      }
      const done = new Set(before.map(({ number }) => number))
      const describe = () => t('lab.trouble.unknown')
      const { trials: model, wait } = labPorts
      await runLab(lab.setup, probes, done, { model, wait, describe, changed: setProgress, keep }, abort.signal)
      show(all)
      if (running.current === abort) running.current = null
      setRunning(false)
      return all
    },
  }
}

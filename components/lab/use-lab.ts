'use client'

import { useCallback, useEffect, useMemo, useState, useRef } from 'react'
import { importProbes } from '@/lib/client/lab/import/import-probes'
import type { StoredLab } from '@/lib/client/lab/lab-journal'
import { type LabProgress, runLab, reportPaceMs } from '@/lib/client/lab/lab-runner'
import { bestOfResult, labResultOf } from '@/lib/client/lab/lab-result'
import { storeMeasuredBest } from '@/lib/client/lab/measured-best'
import { trialCount } from '@/lib/client/lab/plan'
import type { Probe } from '@/lib/client/lab/probe'
import { ownProbes } from '@/lib/client/lab/probes/own-probes'
import { reportOf, type LabReport } from '@/lib/client/lab/report'
import type { TrialRecord } from '@/lib/client/lab/trial-record'
import { labPorts } from '@/lib/client/wiring/models/lab.browser'
import { t } from '@/lib/i18n/t'
import type { ModelInfo } from '@/lib/shared/models/model'

/** Yields, so that the page can render and be stopped while a large file is read. */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve))

interface LabRun {
  readonly progress: LabProgress | null
  readonly isRunning: boolean
  /** Whether a run is in progress, even before the page has rendered it. */
  readonly isBusy: () => boolean
  /** Runs the trials without a record; returns all records at the end. `show` receives progress now and then. */
  readonly play: (
    lab: StoredLab,
    probes: readonly Probe[],
    before: readonly TrialRecord[],
    show: (records: readonly TrialRecord[]) => void,
  ) => Promise<readonly TrialRecord[]>
  readonly stop: () => void
  /** Resets when another lab is opened. */
  readonly clear: () => void
}

/** One run of a lab in this page; `onTrouble` is called if a trial could not be stored, which ends the run. */
function useLabRun(onTrouble: (sentence: string) => void): LabRun {
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

/** The open lab with all its data. */
export interface OpenLab {
  readonly kept: StoredLab
  /** In plan order; [] if their file can't be read any more. */
  readonly probes: readonly Probe[]
  readonly records: readonly TrialRecord[]
  readonly report: LabReport
}

export interface LabState {
  readonly lab: OpenLab | null
  readonly kept: readonly StoredLab[]
  readonly progress: LabProgress | null
  readonly isRunning: boolean
  /** Why nothing can be stored here; null if it can. */
  readonly problem: string | null
  readonly begin: (kept: StoredLab, probes: readonly Probe[]) => Promise<void>
  readonly open: (kept: StoredLab) => Promise<void>
  readonly resume: () => void
  readonly stop: () => void
  readonly remove: (id: string) => Promise<void>
}

/** Runs one lab at a time, stores each trial, and loads the lab again after a reload. */
export function useLab(): LabState {
  const [kept, setKept] = useState<readonly StoredLab[]>([])
  const [current, setCurrent] = useState<{ readonly kept: StoredLab; readonly probes: readonly Probe[] } | null>(null)
  const [records, setRecords] = useState<readonly TrialRecord[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const { progress, isRunning, isBusy, play, stop, clear } = useLabRun(setProblem)
  const { journal } = labPorts

  const refresh = useCallback(async () => {
    try {
      const labs = await journal.labs()
      setKept(labs)
      return labs
    } catch {
      setProblem(t('lab.trouble.not-kept'))
      return []
    }
  }, [journal])

  const show = useCallback(
    async (lab: StoredLab) => {
      const probes = await probesOf(lab)
      setRecords(await journal.records(lab.setup.id))
      clear()
      setCurrent({ kept: lab, probes })
      setProblem(probes.length === 0 ? t('lab.trouble.file-gone') : null)
    },
    [journal, clear],
  )

  useEffect(() => {
    let wanted = true
    void (async () => {
      const [newest] = await refresh()
      if (wanted && newest && !isBusy()) await show(newest)
    })()
    return () => {
      wanted = false
    }
  }, [refresh, show, isBusy])

  const run = async (lab: StoredLab, probes: readonly Probe[], before: readonly TrialRecord[]) => {
    setProblem(null)
    const all = await play(lab, probes, before, setRecords)
    if (all.length === trialCount(lab.setup.plan)) noteBest(lab, probes, all)
  }

  const report = useMemo(
    () => (current === null ? null : reportOf(current.kept.setup.plan, current.probes, records)),
    [current, records],
  )

  return {
    lab: current && report && { ...current, records, report },
    kept,
    progress,
    isRunning,
    problem,
    async begin(lab, probes) {
      try {
        await journal.begin(lab)
      } catch {
        setProblem(t('lab.trouble.not-kept'))
        return
      }
      setRecords([])
      clear()
      setCurrent({ kept: lab, probes })
      void refresh()
      void run(lab, probes, [])
    },
    open: show,
    resume: () => {
      if (current && !isBusy()) void run(current.kept, current.probes, records)
    },
    stop,
    async remove(id) {
      if (current?.kept.setup.id === id) stop()
      await journal.remove(id).catch(() => setProblem(t('lab.trouble.not-kept')))
      const labs = await refresh()
      if (current?.kept.setup.id !== id) return
      const [newest] = labs
      if (newest) await show(newest)
      else setCurrent(null)
    },
  }
}

/** A lab's probes by id, even if a newer version has changed the built-in ones; [] if one is missing. */
async function probesOf({ setup, file }: StoredLab): Promise<readonly Probe[]> {
  const source = file === null ? ownProbes : (await importProbes(file, { pause })).probes
  const byId = new Map(source.map((probe) => [probe.id, probe]))
  const found = setup.probeIds.flatMap((id) => byId.get(id) ?? [])
  return found.length === setup.probeIds.length ? found : []
}

/** Stores the best format, which the chat's list of formats then shows for this model. */
function noteBest({ setup }: StoredLab, probes: readonly Probe[], records: readonly TrialRecord[]): void {
  const result = labResultOf(setup, reportOf(setup.plan, probes, records), null)
  storeMeasuredBest(labPorts.storage(), setup.asked.model, bestOfResult(result))
}

export interface KnownModels {
  readonly models: readonly ModelInfo[]
  readonly first: string
  /** Why there are no models, or fewer than expected. */
  readonly problems: readonly string[]
}

/** The models of the server and of this browser; null while loading. */
export function useModels(): KnownModels | null {
  const [known, setKnown] = useState<KnownModels | null>(null)
  useEffect(() => {
    let wanted = true
    void (async () => {
      const [answer, own] = await Promise.all([labPorts.models(), labPorts.ownModels()])
      if (!wanted) return
      if (answer.ok) {
        const { models, defaultModel, problems } = answer.value
        setKnown({ models: [...models, ...own], first: defaultModel, problems })
      } else setKnown({ models: own, first: '', problems: [answer.error.message] })
    })()
    return () => {
      wanted = false
    }
  }, [])
  return known
}

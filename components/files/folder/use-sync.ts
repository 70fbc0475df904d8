'use client'

import { wallClock } from '@/lib/base/clocks'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FileDifference, FolderComparison } from '@/lib/client/folder/compare'
import type { FolderLink } from '@/lib/client/folder/folder-store'
import { createSync } from '@/lib/client/folder/sync'
import type { Resolution } from '@/lib/client/folder/take-in'
import type { JournalState, WrittenRow } from '@/lib/client/folder/write-out'
import { requestFolderPermission, folderStore, withFolder } from '@/lib/client/wiring/files/folders.browser'
import { t } from '@/lib/i18n/t'
import type { Vfs } from '@/lib/vfs/vfs'
import { folderProblem, takeInProblem } from './folder-words'

type Step =
  | { readonly at: 'compare'; readonly files: number }
  | { readonly at: 'ask' }
  | { readonly at: 'write'; readonly done: number; readonly of: number }
  | { readonly at: 'interrupted'; readonly state: JournalState }
  | { readonly at: 'compared'; readonly found: FolderComparison }
  | { readonly at: 'written'; readonly rows: readonly WrittenRow[] }
  | { readonly at: 'failed'; readonly words: string }

/** The user's choices for conflicts. */
export type Choices = readonly (readonly [FileDifference, Resolution])[]

interface SyncInput {
  /** Records its changes as the user's. */
  readonly vfs: Vfs
  readonly link: FolderLink
}

/** The steps of a sync with a linked folder. Only one tab at a time can run them. */
export function useSync({ vfs, link }: SyncInput) {
  const [sync] = useState(() => createSync({ vfs, store: folderStore(), link, now: wallClock }))
  const [step, setStep] = useState<Step>({ at: 'compare', files: 0 })
  const [problem, setProblem] = useState<string | null>(null)
  const open = useRef(new AbortController())

  /** Only one tab at a time. Errors become a sentence. */
  const working = async (work: (signal: AbortSignal) => Promise<Step>) => {
    const { signal } = open.current
    let next: Step
    try {
      next = (await withFolder(link.id, () => work(signal))) ?? { at: 'failed', words: t('files-folder.other-tab') }
    } catch (error) {
      next = { at: 'failed', words: folderProblem(error, link.name) }
    }
    if (!signal.aborted) setStep(next)
  }
  const compared = async (signal: AbortSignal): Promise<Step> => {
    const found = await sync.compare({ signal, onProgress: (files) => setStep({ at: 'compare', files }) })
    return { at: 'compared', found }
  }
  const begin = async (signal: AbortSignal): Promise<Step> => {
    const state = await sync.interrupted()
    return state ? { at: 'interrupted', state } : compared(signal)
  }
  const first = useEffectEvent(() => void working(begin))
  useEffect(() => {
    const work = new AbortController()
    open.current = work
    first()
    return () => work.abort()
  }, [])

  const act = (work: (signal: AbortSignal) => Promise<Step>) => {
    setProblem(null)
    setStep({ at: 'compare', files: 0 })
    void working(work)
  }
  return {
    sync,
    step,
    problem,
    compare: () => act(begin),
    goOn: (state: JournalState) =>
      act(async (signal) => {
        await sync.settle(state)
        return compared(signal)
      }),
    bringIn: (rows: readonly FileDifference[], settled: Choices) =>
      act(async (signal) => {
        const taken = await sync.takeIn(rows, settled)
        if (!taken.ok) setProblem(takeInProblem(taken))
        return compared(signal)
      }),
    write: (rows: readonly FileDifference[], settled: Choices) =>
      act(async (signal) => {
        setStep({ at: 'ask' })
        const answer = await requestFolderPermission(link.handle, 'readwrite', signal)
        if (answer !== 'granted') {
          if (answer === 'denied') setProblem(t('files-folder.write-denied', { name: asUntrusted(link.name) }))
          return compared(signal)
        }
        setStep({ at: 'write', done: 0, of: rows.length })
        const done = await sync.write(rows, settled, (count, of) => setStep({ at: 'write', done: count, of }))
        if (!('ok' in done)) return { at: 'written', rows: done }
        setProblem(takeInProblem(done))
        return compared(signal)
      }),
  }
}

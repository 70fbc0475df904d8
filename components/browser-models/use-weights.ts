'use client'

import { wallClock } from '@/lib/base/clocks'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { AppError } from '@/lib/base/app-error'
import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import type { BrowserModelConfig } from '@/lib/client/browser-models/browser-model'
import { configOfWeights, type WeightsSource } from '@/lib/client/browser-models/wllama/choice'
import { examineFile } from '@/lib/client/browser-models/wllama/weights/memory'
import type { WllamaPage } from '@/lib/client/browser-models/wllama/page.browser'
import type { StoredWeights, WeightsSeen, WllamaNotice } from '@/lib/client/browser-models/wllama/protocol'
import { listWeights, removeWeights } from '@/lib/client/browser-models/wllama/weights/weights-store'
import { t } from '@/lib/i18n/t'

export interface WeightsState {
  /** Null while it is loading. */
  readonly kept: readonly StoredWeights[] | null
  readonly seen: WeightsSeen | null
  /** The task in progress; bytes, if they are known. */
  readonly busy: { readonly done: number; readonly total: number } | 'looking' | null
  readonly problem: WeightsProblem | null
}

/** The part of the form where the error belongs. */
export type WeightsPart = 'address' | 'file' | 'kept'

export interface WeightsProblem {
  readonly of: WeightsPart
  /** The thrown error. Its text is made when it is shown, in the current language. */
  readonly error: unknown
}

const begin: WeightsState = { kept: null, seen: null, busy: null, problem: null }

const merge = (state: WeightsState, change: Partial<WeightsState>): WeightsState => ({ ...state, ...change })

/** What failed and what to do. The worker reports it in English. */
export const whatFailed = ({ error }: WeightsProblem): string =>
  error instanceof AppError
    ? quotedRefusal(error)
    : t('llama.failed', { details: error instanceof Error ? error.message : '' })

/** Manages this browser's model files: download, pick, store, remove, and add as models. */
export function useWeights(page: WllamaPage, onAdd: (config: BrowserModelConfig) => Promise<void>) {
  const [state, change] = useReducer(merge, begin)
  const running = useRef<AbortController | null>(null)

  const look = useCallback(async () => change({ kept: await listWeights(await page.place()) }), [page])
  useEffect(() => {
    look().catch((error: unknown) => change({ kept: [], problem: { of: 'kept', error } }))
    return () => running.current?.abort()
  }, [look])

  /** Runs one task at a time. Errors are shown; an abort is not. */
  async function doing(of: WeightsPart, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    change({ busy: 'looking', problem: null })
    let problem: WeightsProblem | null = null
    try {
      await work(abort.signal)
    } catch (error) {
      if (!abort.signal.aborted) problem = { of, error }
    }
    if (running.current === abort) change({ busy: null, problem })
    await look().catch(() => {})
  }

  const onTold = (notice: WllamaNotice) => {
    if (notice.kind === 'bytes') change({ busy: { done: notice.done, total: notice.total } })
  }

  /** The list shows whether the model was added. */
  async function add(source: WeightsSource): Promise<void> {
    const { windowTokens } = await examineFile(await page.file(source))
    await onAdd(configOfWeights({ source, windowTokens, contextTokens: windowTokens }, wallClock()))
  }

  return {
    state,
    see: (address: string) =>
      doing('address', async (signal) => {
        change({ seen: null })
        change({ seen: await page.client.ask({ ask: 'look', address }, { signal }) })
      }),
    fetch: (address: string, of: WeightsPart = 'address') =>
      doing(of, async (signal) => {
        await page.persist()
        const { id, name } = await page.client.ask({ ask: 'fetch', address }, { signal, onTold })
        change({ seen: null })
        return add({ kind: 'kept', id, name })
      }),
    pick: (file: File, isCopied: boolean) =>
      doing('file', async (signal) => {
        if (!isCopied) {
          page.pick(file)
          return add({ kind: 'picked', name: file.name, bytes: file.size })
        }
        const { id, name } = await page.client.ask({ ask: 'keep', file }, { signal, onTold })
        return add({ kind: 'kept', id, name })
      }),
    addKept: ({ id, name }: StoredWeights) => doing('kept', () => add({ kind: 'kept', id, name })),
    remove: (weights: StoredWeights) =>
      doing('kept', async () => {
        await removeWeights(await page.place(), weights)
      }),
    stop: () => {
      running.current?.abort()
      change({ busy: null })
    },
  }
}

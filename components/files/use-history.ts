'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import { type Vfs, failures } from '@/lib/vfs/vfs'
import {
  createHistoryWatch,
  loadingHistory,
  type HistoryState,
  type HistoryWatch,
} from '@/lib/client/files/history/history-watch'
import { t } from '@/lib/i18n/t'
import type { HistoryMove } from '@/lib/vfs/vfs-history'

/** One for all who look at the same files. */
const watches = new WeakMap<Vfs, HistoryWatch>()

function watchOf(vfs: Vfs): HistoryWatch {
  const known = watches.get(vfs)
  if (known) return known
  const made = createHistoryWatch(vfs)
  watches.set(vfs, made)
  return made
}

const never = () => () => {}
const loading = () => loadingHistory

export interface SharedHistory extends HistoryState {
  /** Null until the files are there. */
  readonly watch: HistoryWatch | null
}

/** What happened to a conversation's files, followed; the files load on first need, and not at all unless `wanted`. */
export function useHistory(conversationId: string, wanted = true): SharedHistory {
  const runtimeOf = useToolRuntime()
  const [watch, setWatch] = useState<HistoryWatch | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    if (!wanted) return
    let current = true
    runtimeOf(conversationId).then(
      ({ vfs }) => current && setWatch(watchOf(vfs)),
      () => current && setProblem(failures.unreadable().error.message),
    )
    return () => {
      current = false
      setWatch(null)
      setProblem(null)
    }
  }, [runtimeOf, conversationId, wanted])
  const state = useWatched(watch)
  return problem === null ? { ...state, watch } : { ...state, watch, phase: 'failed', problem }
}

/** The same of files that are here already. */
export function useHistoryOf(vfs: Vfs): HistoryState & { readonly watch: HistoryWatch } {
  const watch = watchOf(vfs)
  return { ...useWatched(watch), watch }
}

const useWatched = (watch: HistoryWatch | null): HistoryState =>
  useSyncExternalStore(watch?.subscribe ?? never, watch?.state ?? loading, loading)

export interface Moves {
  readonly busy: boolean
  /** Why the last one did nothing: a sentence. */
  readonly problem: string | null
  /** What stayed as it was in the last one. */
  readonly kept: HistoryMove['kept']
  /** Takes sets back, or puts them back. True when it was done. */
  readonly move: (ids: readonly number[], undone: boolean) => Promise<boolean>
}

/** Undo and redo of one row or card, with what came of it. */
export function useMoves(watch: HistoryWatch | null): Moves {
  const [state, setState] = useState<Omit<Moves, 'move'>>({ busy: false, problem: null, kept: [] })
  return {
    ...state,
    async move(ids, undone) {
      if (watch === null) return false
      setState({ busy: true, problem: null, kept: [] })
      const done = await watch.setUndone(ids, undone).catch(() => null)
      if (done?.ok) setState({ busy: false, problem: null, kept: done.value.kept })
      else {
        const why = done === null ? t('files-changes.browser-failed') : done.error.message
        setState({ busy: false, problem: t('files-changes.nothing-changed', { why }), kept: [] })
      }
      return done?.ok ?? false
    },
  }
}

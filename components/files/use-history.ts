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

/** One shared watch per file store. */
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
  /** Null until the files are loaded. */
  readonly watch: HistoryWatch | null
}

/** Follows the history of a conversation's files; the files load on first use, and only if `wanted`. */
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

/** The same for files that are already loaded. */
export function useHistoryOf(vfs: Vfs): HistoryState & { readonly watch: HistoryWatch } {
  const watch = watchOf(vfs)
  return { ...useWatched(watch), watch }
}

const useWatched = (watch: HistoryWatch | null): HistoryState =>
  useSyncExternalStore(watch?.subscribe ?? never, watch?.state ?? loading, loading)

export interface Moves {
  readonly busy: boolean
  /** Why the last move failed: a sentence. */
  readonly problem: string | null
  /** What the last move left unchanged. */
  readonly kept: HistoryMove['kept']
  /** Undoes or redoes change sets. True on success. */
  readonly move: (ids: readonly number[], undone: boolean) => Promise<boolean>
}

/** Undo and redo of one row or card, with the result. */
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

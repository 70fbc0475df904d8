'use client'

import { useState } from 'react'
import { t } from '@/lib/i18n/t'
import type { HistoryMove } from '@/lib/vfs/vfs-history'
import type { HistoryWatch } from '@/lib/client/files/history/history-watch'

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

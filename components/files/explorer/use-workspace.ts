'use client'

import { errorText } from '@/lib/base/app-error'
import { useEffect, useState } from 'react'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import type { Vfs, VfsTreeEntry, VfsUsage } from '@/lib/vfs/vfs'
import type { ChangeSet, HistoryUsage } from '@/lib/vfs/vfs-history'

export interface WorkspaceFiles {
  readonly vfs: Vfs
  readonly entries: readonly VfsTreeEntry[]
  readonly usage: VfsUsage
  readonly sets: readonly ChangeSet[]
  readonly history: HistoryUsage
}

export type Workspace =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly message: string; readonly retry: () => void }
  | { readonly phase: 'ready'; readonly files: WorkspaceFiles }

const noHistory: HistoryUsage = { sets: 0, usedBytes: 0, limitBytes: 0 }

/** The conversation's files as they are now, followed while they change here or in another tab. */
export function useWorkspace(conversationId: string): Workspace {
  const runtimeOf = useToolRuntime()
  const [state, setState] = useState<Workspace>({ phase: 'loading' })
  useEffect(() => {
    let wanted = true
    let unwatch = () => {}
    const fail = (message: string) => {
      if (wanted) setState({ phase: 'failed', message, retry: start })
    }
    const follow = async () => {
      const { vfs } = await runtimeOf(conversationId)
      if (!wanted) return
      const look = oneAtATime(async () => {
        const loaded = await loadFiles(vfs)
        if (!wanted) return
        if (typeof loaded === 'string') fail(loaded)
        else setState({ phase: 'ready', files: loaded })
      }, fail)
      unwatch = vfs.watch(look)
      look()
    }
    function start(): void {
      unwatch()
      follow().catch((error: unknown) => fail(errorText(error)))
    }
    start()
    return () => {
      wanted = false
      unwatch()
    }
  }, [conversationId, runtimeOf])
  return state
}

/** A sentence when the files can't be read. */
async function loadFiles(vfs: Vfs): Promise<WorkspaceFiles | string> {
  const [tree, usage, sets, history] = await Promise.all([
    vfs.tree('/'),
    vfs.usage(),
    vfs.history.list(),
    vfs.history.usage().catch(() => noHistory),
  ])
  if (!tree.ok) return tree.error.message
  // The tree is of use without its history too.
  return { vfs, entries: tree.value, usage, sets: sets.ok ? sets.value : [], history }
}

/** Many changes in a row are one more look, after the one that is under way. */
function oneAtATime(look: () => Promise<void>, onError: (message: string) => void): () => void {
  let running = false
  let again = false
  const run = async () => {
    running = true
    do {
      again = false
      await look()
    } while (again)
  }
  return () => {
    if (running) {
      again = true
      return
    }
    run()
      .catch((error: unknown) => onError(errorText(error)))
      .finally(() => {
        running = false
      })
  }
}

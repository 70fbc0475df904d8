'use client'

import { useEffect, useState } from 'react'
import type { FileChanges } from '@/lib/shared/conversation/conversation'
import { recordedChanges } from '@/lib/client/files/history/recorded-changes'
import { useToolRuntime } from '@/components/context/tool-runtime-context'

export interface AttemptAt {
  readonly conversationId: string
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
}

/**
 * The file changes of an interrupted attempt in this browser: `looking` until known, null if nothing is recorded,
 * `unknown` if the files can't be read. `wanted` false: not needed.
 */
export function useRecordedChanges(
  { conversationId, messageId, slot, attempt }: AttemptAt,
  wanted: boolean,
): FileChanges | 'looking' | 'unknown' | null {
  const runtimeOf = useToolRuntime()
  const [found, setFound] = useState<FileChanges | 'looking' | 'unknown' | null>('looking')
  useEffect(() => {
    if (!wanted) return
    let mounted = true
    runtimeOf(conversationId)
      .then(({ vfs }) => recordedChanges(vfs, { messageId, slot, attempt }))
      .then(
        (changes) => mounted && setFound(changes),
        () => mounted && setFound('unknown'),
      )
    return () => {
      mounted = false
    }
  }, [runtimeOf, conversationId, messageId, slot, attempt, wanted])
  return found
}

'use client'

import { useEffect, useMemo, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { requestOpenFile } from '@/components/context/open-file'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import { nameOf, parentOf } from '@/lib/vfs/path'
import type { VfsTreeEntry } from '@/lib/vfs/vfs'
import { ownFolder } from '@/lib/workspace/tree/tree-rows'
import { t } from '@/lib/i18n/t'
import { paletteEntry, type PaletteEntry } from './palette-entry'

interface Files {
  readonly paths: readonly string[] | null
  readonly problem: string | null
}

const unknown: Files = { paths: null, problem: null }
const isFile = ({ kind, path }: VfsTreeEntry): boolean => kind === 'file' && !path.startsWith(`${ownFolder}/`)

export interface FileEntries {
  readonly entries: readonly PaletteEntry[]
  readonly isReading: boolean
  readonly problem: string | null
}

/** The files of the open chat, once somebody looks for something: what keeps them loads with the first who asks. */
export function useFileEntries(isWanted: boolean): FileEntries {
  const runtimeOf = useToolRuntime()
  const conversationId = useConversation((view) => view.id)
  const isHere = useConversation((view) => view.phase === 'ready' || view.phase === 'new')
  const [{ paths, problem }, setFiles] = useState(unknown)
  const asks = isWanted && isHere
  useEffect(() => {
    if (!asks) return
    let wanted = true
    const read = async () => {
      const { vfs } = await runtimeOf(conversationId)
      const tree = await vfs.tree('/')
      if (!wanted) return
      setFiles(
        tree.ok
          ? { paths: tree.value.filter(isFile).map(({ path }) => path), problem: null }
          : { paths: [], problem: t('command.no-files', { why: tree.error.message }) },
      )
    }
    read().catch(() => wanted && setFiles({ paths: [], problem: t('command.no-files-here') }))
    return () => {
      wanted = false
    }
  }, [asks, runtimeOf, conversationId])
  const entries = useMemo(() => {
    const group = t('command.group.files')
    return (paths ?? []).map((path) =>
      paletteEntry(
        {
          id: `file ${path}`,
          group: 'files',
          icon: 'read',
          label: nameOf(path),
          written: 'name',
          beside: parentOf(path),
          run: () => requestOpenFile({ conversationId, path }),
        },
        group,
      ),
    )
  }, [paths, conversationId])
  return { entries, isReading: asks && paths === null, problem }
}

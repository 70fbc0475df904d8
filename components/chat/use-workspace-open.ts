'use client'

import { localStorageOrNull } from '@/lib/base/features.browser'
import { useCallback, useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import { onOpenFile, type OpenFileRequest } from '@/components/context/show-in-page'

const stored = 'nod:workspace-open'

interface WorkspaceOpen {
  /** What opened it; null if it is closed. */
  readonly open: 'button' | 'key' | 'memory' | 'file' | null
  /** The last file requested from elsewhere; each request is a new object. */
  readonly file: OpenFileRequest | null
  readonly toggle: (by: 'button' | 'key') => void
  readonly close: () => void
}

/**
 * Whether the workspace is open. This browser remembers it. On a phone the workspace covers the chat, so it never opens
 * by itself. Closing returns the focus to the header's button.
 */
export function useWorkspaceOpen(button: RefObject<HTMLButtonElement | null>): WorkspaceOpen {
  const remembered = useSyncExternalStore(never, wasOpen, () => false)
  const [chosen, setOpen] = useState<WorkspaceOpen['open'] | undefined>(undefined)
  const [file, setFile] = useState<OpenFileRequest | null>(null)
  useEffect(
    () =>
      onOpenFile((request) => {
        setFile(request)
        setOpen((now) => now ?? 'file')
      }),
    [],
  )
  const open = chosen === undefined ? (remembered ? 'memory' : null) : chosen
  const close = useCallback(() => {
    setOpen(null)
    remember(false)
    button.current?.focus()
  }, [button])
  const toggle = useCallback(
    (by: 'button' | 'key') => {
      if (open !== null) return close()
      setOpen(by)
      remember(true)
    },
    [open, close],
  )
  return { open, file, toggle, close }
}

const never = () => () => {}

function wasOpen(): boolean {
  try {
    return localStorageOrNull()?.getItem(stored) === '1' && window.matchMedia('(min-width: 52.01rem)').matches
  } catch {
    // Storage is blocked for this site: the panel starts closed.
    return false
  }
}

function remember(open: boolean): void {
  try {
    localStorageOrNull()?.setItem(stored, open ? '1' : '0')
  } catch {
    // Storage is blocked.
  }
}

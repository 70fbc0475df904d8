'use client'

import { useEffect, useState, type RefObject } from 'react'
import type { Vfs } from '@/lib/vfs/vfs'
import { useToolRuntime } from './tool-runtime-context'

/** A file that a call would replace. `text` is null when it is not text, or too large to compare. */
export interface CurrentFile {
  readonly text: string | null
  readonly size: number
}

const MAX_COMPARED_BYTES = 1_000_000

/**
 * The file at `path` now, followed while it changes; null: there is none; undefined: not known (not asked yet, or the
 * files can't be read). Asked only once the card is near the view.
 */
export function useCurrentFile(
  conversationId: string,
  path: string | null,
  card: RefObject<Element | null>,
): CurrentFile | null | undefined {
  const runtimeOf = useToolRuntime()
  const [file, setFile] = useState<CurrentFile | null | undefined>(undefined)
  const near = useNear(card, path !== null)
  useEffect(() => {
    if (!near || path === null) return
    let wanted = true
    let unwatch = () => {}
    void (async () => {
      try {
        const { vfs } = await runtimeOf(conversationId)
        const look = async () => {
          const found = await readCurrent(vfs, path)
          if (wanted) setFile(found)
        }
        if (!wanted) return
        unwatch = vfs.watch(() => void look().catch(() => wanted && setFile(undefined)))
        await look()
      } catch {
        // The card then shows the new text alone; the run itself will say what is wrong with the files.
        if (wanted) setFile(undefined)
      }
    })()
    return () => {
      wanted = false
      unwatch()
    }
  }, [near, path, conversationId, runtimeOf])
  return file
}

async function readCurrent(vfs: Vfs, path: string): Promise<CurrentFile | null | undefined> {
  const stat = await vfs.stat(path)
  if (!stat.ok) return stat.error.code === 'ENOENT' ? null : undefined
  if (stat.value.kind !== 'file') return undefined
  const { size } = stat.value
  if (size > MAX_COMPARED_BYTES) return { text: null, size }
  const read = await vfs.read(path)
  if (!read.ok) return undefined
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.value), size }
  } catch {
    return { text: null, size }
  }
}

function useNear(element: RefObject<Element | null>, wanted: boolean): boolean {
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    const target = element.current
    if (!wanted || near || !target) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      {
        rootMargin: '400px',
      },
    )
    observer.observe(target)
    return () => observer.disconnect()
  }, [element, wanted, near])
  return near
}

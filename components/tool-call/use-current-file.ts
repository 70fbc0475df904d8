'use client'

import { useEffect, useState, type RefObject } from 'react'
import type { CurrentItem } from '@/lib/tools/tool'
import { measureTree } from '@/lib/tools/walk-files'
import { normalizePath } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import { useToolRuntime } from './tool-runtime-context'

const MAX_COMPARED_BYTES = 1_000_000

/**
 * The file or folder at `path` now, followed while it changes; null: there is none; undefined: not known (not asked yet, or the
 * files can't be read). Asked only once the card is near the view.
 */
export function useCurrentFile(
  conversationId: string,
  path: string | null,
  card: RefObject<Element | null>,
): CurrentItem | null | undefined {
  const runtimeOf = useToolRuntime()
  const [file, setFile] = useState<CurrentItem | null | undefined>(undefined)
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

async function readCurrent(vfs: Vfs, path: string): Promise<CurrentItem | null | undefined> {
  const normal = normalizePath(path)
  if (!normal.ok) return undefined
  const stat = await vfs.stat(normal.value)
  if (!stat.ok) return stat.error.code === 'ENOENT' ? null : undefined
  if (stat.value.kind === 'directory') {
    const tree = await measureTree(vfs, normal.value)
    return tree.ok ? { text: null, size: tree.value.bytes, files: tree.value.files } : undefined
  }
  const { size } = stat.value
  if (size > MAX_COMPARED_BYTES) return { text: null, size }
  const read = await vfs.read(normal.value)
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

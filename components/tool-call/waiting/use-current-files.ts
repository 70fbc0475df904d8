'use client'

import { useEffect, useMemo, useState, type RefObject } from 'react'
import { fingerprint, type FileBasis } from '@/lib/client/calls/file-basis'
import type { CurrentItem, PathInfo } from '@/lib/shared/tools/tool'
import { normalizePath } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import { useToolRuntime } from '@/components/context/tool-runtime-context'

const MAX_COMPARED_BYTES = 1_000_000
const MAX_LISTED = 200

export interface CurrentFiles {
  readonly look: PathInfo
  /** What the look was taken on; null: nothing is known. */
  readonly basis: FileBasis | null
  /** Something else stands at these very paths than when the card first looked at them. */
  readonly changed: boolean
}

interface Seen {
  readonly items: ReadonlyMap<string, CurrentItem | null>
  readonly basis: FileBasis
  /** What stood there when the card first looked. */
  readonly first: FileBasis
}

/**
 * What stands at the paths now, followed while it changes. Not known: not asked yet, or the files can't be read. Asked only
 * once the card is near the view.
 */
export function useCurrentFiles(
  conversationId: string,
  paths: readonly string[],
  card: RefObject<Element | null>,
): CurrentFiles {
  const runtimeOf = useToolRuntime()
  const [seen, setSeen] = useState<Seen | null>(null)
  const near = useNear(card, paths.length > 0)
  const key = paths.join('\n')
  useEffect(() => {
    if (!near || key === '') return
    let wanted = true
    let unwatch = () => {}
    const lost = () => wanted && setSeen(null)
    void (async () => {
      const { vfs } = await runtimeOf(conversationId)
      const look = async () => {
        const found = await readCurrent(vfs, key.split('\n'))
        if (wanted) setSeen((before) => joined(before, found))
      }
      if (!wanted) return
      unwatch = vfs.watch(() => void look().catch(lost))
      await look()
      // The card then shows the new text alone; the run itself will say what is wrong with the files.
    })().catch(lost)
    return () => {
      wanted = false
      unwatch()
    }
  }, [near, key, conversationId, runtimeOf])
  return useMemo(
    () => ({
      look: (path) => seen?.items.get(path),
      basis: seen?.basis ?? null,
      changed: seen !== null && !isSame(seen.first, seen.basis),
    }),
    [seen],
  )
}

type Found = Omit<Seen, 'first'>

/** The same object as long as the same stands there. */
function joined(before: Seen | null, found: Found): Seen {
  // Other paths are another question: nothing changed at them since nobody had looked.
  if (before === null || !isOfSamePaths(before.basis, found.basis)) return { ...found, first: found.basis }
  return isSame(before.basis, found.basis) ? before : { ...found, first: before.first }
}

const isOfSamePaths = (a: FileBasis, b: FileBasis): boolean =>
  a.size === b.size && [...a.keys()].every((path) => b.has(path))

const isSame = (a: FileBasis, b: FileBasis): boolean =>
  isOfSamePaths(a, b) && [...a].every(([path, mark]) => b.get(path) === mark)

async function readCurrent(vfs: Vfs, paths: readonly string[]): Promise<Found> {
  const items = new Map<string, CurrentItem | null>()
  const basis = new Map<string, string>()
  for (const path of paths) {
    // Looked at first: what changes while it is read is looked at again, as the watch says.
    basis.set(path, await fingerprint(vfs, path))
    const item = await readItem(vfs, path)
    if (item !== undefined) items.set(path, item)
  }
  return { items, basis }
}

async function readItem(vfs: Vfs, path: string): Promise<CurrentItem | null | undefined> {
  const normal = normalizePath(path)
  if (!normal.ok) return undefined
  const stat = await vfs.stat(normal.value)
  if (!stat.ok) return stat.error.code === 'ENOENT' ? null : undefined
  if (stat.value.kind === 'directory') {
    const tree = await vfs.tree(normal.value)
    if (!tree.ok) return undefined
    const files = tree.value.filter(({ kind }) => kind === 'file')
    const size = files.reduce((sum, file) => sum + file.size, 0)
    return { text: null, size, files: files.length, inside: files.slice(0, MAX_LISTED) }
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

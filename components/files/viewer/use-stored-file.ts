import { cx } from '@/components/ui/recipes/recipe'
import { useEffect, useState } from 'react'
import type { Vfs } from '@/lib/vfs/vfs'

/** An open file fills its panel: the header and notices stay, the body scrolls. */
export const fileFrame = cx('flex h-full min-h-0 min-w-0 flex-col bg-raised')
export const fileBody = cx('flex min-h-0 flex-1 flex-col overflow-auto')

export type StoredFile =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly message: string }
  | {
      readonly status: 'ready'
      readonly data: Uint8Array
      readonly version: string
      readonly modifiedAt: number
      /** The file was deleted; this was its last content. */
      readonly isGone: boolean
    }

/** A stored file, read again on every change, also by another tab. */
export function useStoredFile(vfs: Vfs, path: string): StoredFile {
  const [file, setFile] = useState<StoredFile>({ status: 'loading' })
  useEffect(() => {
    let wanted = true
    let version: string | null = null
    let busy = false
    let again = false
    const fail = (code: string, message: string) => {
      setFile((known) =>
        known.status === 'ready' && (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR')
          ? { ...known, isGone: true }
          : { status: 'failed', message },
      )
      version = null
    }
    const look = async () => {
      if (!wanted) return
      const entry = await vfs.stat(path)
      if (!wanted) return
      if (!entry.ok) return fail(entry.error.code, entry.error.message)
      if (entry.value.version === version) return
      const data = await vfs.read(path)
      if (!wanted) return
      if (!data.ok) return fail(data.error.code, data.error.message)
      version = entry.value.version
      const { modifiedAt } = entry.value
      setFile({ status: 'ready', data: data.value, version, modifiedAt, isGone: false })
    }
    // One read at a time; a change during a read triggers another.
    const refresh = async () => {
      again = true
      if (busy) return
      busy = true
      while (again) {
        again = false
        await look()
      }
      busy = false
    }
    void refresh()
    const unwatch = vfs.watch(() => void refresh())
    return () => {
      wanted = false
      unwatch()
    }
  }, [vfs, path])
  return file
}

import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { useEffect, useState } from 'react'
import { type Vfs, vfsLimits } from '@/lib/vfs/vfs'
import type { ZipContents } from '@/lib/client/files/zip/read-zip'
import type { ZipProgress } from '@/lib/client/files/zip/zip-library'

export type ZipReading =
  /** `allBytes` null: the list of what it holds is not read yet. */
  | { readonly status: 'reading'; readonly bytes: number; readonly allBytes: number | null }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'read'; readonly contents: ZipContents; readonly clashes: readonly string[] }

/** Unpacks a zip in memory, within the room that these files have left; `clashes` are names that the folder holds already. */
export function useZipContents(vfs: Vfs, folder: string, blob: Blob): ZipReading {
  const [reading, setReading] = useState<ZipReading>({ status: 'reading', bytes: 0, allBytes: null })
  useEffect(() => {
    const stop = new AbortController()
    const read = async () => {
      const { readZip } = await loadPart(() => import('@/lib/client/files/zip/read-zip'))
      const usage = await vfs.usage()
      const limits = {
        maxFiles: Math.max(0, vfsLimits.maxFiles - usage.files),
        maxFileBytes: vfsLimits.maxFileBytes,
        maxTotalBytes: Math.max(0, usage.limitBytes - usage.usedBytes),
      }
      let shown = 0
      const onProgress = ({ bytes, allBytes = bytes }: ZipProgress) => {
        // Every name would be more renders than anyone can see.
        if (bytes - shown < allBytes / 100) return
        shown = bytes
        setReading({ status: 'reading', bytes, allBytes })
      }
      const result = await readZip(blob, limits, { signal: stop.signal, onProgress })
      if (!result.ok) return setReading({ status: 'failed', message: result.error.message })
      const listed = await vfs.list(folder)
      if (stop.signal.aborted) return
      const taken = new Set(listed.ok ? listed.value.map(({ name }) => name) : [])
      const tops = new Set(
        [...result.value.files.map(({ path }) => path), ...result.value.folders].map(
          (path) => path.split('/')[0] ?? '',
        ),
      )
      setReading({ status: 'read', contents: result.value, clashes: [...tops].filter((name) => taken.has(name)) })
    }
    read().catch(() => {
      if (!stop.signal.aborted) {
        setReading({ status: 'failed', message: t('files-unzip.unreadable') })
      }
    })
    return () => stop.abort()
  }, [vfs, folder, blob])
  return reading
}

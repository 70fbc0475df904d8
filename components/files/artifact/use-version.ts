import { useEffect, useMemo, useState } from 'react'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeSet } from '@/lib/vfs/vfs-history'
import { filesAt, versionsOf, type ArtifactVersion } from '@/lib/client/files/artifact/versions'
import { readText } from '@/lib/client/files/edit/text-file'

export type ReadableFiles = Pick<Vfs, 'read' | 'tree' | 'watch'>

const never = () => () => {}

export interface ShownVersion {
  readonly versions: readonly ArtifactVersion[]
  readonly index: number
  /** The shown version differs from the current files. */
  readonly isOld: boolean
  readonly show: (index: number) => void
  readonly files: ReadableFiles
  /** The file's own text; null until it is read. */
  readonly text: string | null
}

/**
 * The versions of an artifact, and its files at the shown version, by default the newest.
 * @param used paths of all files that it currently uses
 */
export function useVersion(
  vfs: Vfs,
  sets: readonly ChangeSet[],
  { path, text, used }: { readonly path: string; readonly text: string; readonly used: readonly string[] },
): ShownVersion {
  const versions = useMemo(() => versionsOf(sets, new Set([path, ...used])), [sets, path, used])
  const [id, setId] = useState<number | null>(null)
  const found = id === null ? -1 : versions.findIndex((version) => version.id === id)
  const index = found < 0 ? versions.length - 1 : found
  const isOld = found >= 0 && found < versions.length - 1
  const files = useMemo<ReadableFiles>(
    () => (isOld && id !== null ? { ...filesAt(vfs, sets, id), watch: never } : vfs),
    [vfs, sets, id, isOld],
  )
  const [old, setOld] = useState<{ readonly files: ReadableFiles; readonly text: string } | null>(null)
  useEffect(() => {
    if (!isOld) return
    let wanted = true
    const look = async () => {
      const read = await files.read(path)
      if (wanted) setOld({ files, text: read.ok ? readText(read.value).text : '' })
    }
    void look()
    return () => {
      wanted = false
    }
  }, [isOld, files, path])
  return {
    versions,
    index,
    isOld,
    show: (at) => setId(at === versions.length - 1 ? null : (versions[at]?.id ?? null)),
    files,
    text: isOld ? (old?.files === files ? old.text : null) : text,
  }
}

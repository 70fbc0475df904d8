import { t } from '@/lib/i18n/t'
import { quoted } from '@/lib/base/untrusted-text/foreign-text'
import type { VfsUsage, FileChange, VfsLimits } from '@/lib/vfs/vfs'
import { joinPath, normalizePath, parentOf } from '@/lib/vfs/path'

const shownPath = (path: string): string => quoted(path, 80)

export interface UploadSize {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** Why these files can't be added, before anything is read or written; null if there is space. */
export function checkUpload(
  files: readonly UploadSize[],
  usage: VfsUsage,
  limits: Pick<VfsLimits, 'maxFileBytes' | 'maxFiles'>,
): string | null {
  const big = files.find(({ size }) => size > limits.maxFileBytes)
  if (big) {
    const values = { path: shownPath(big.path), size: big.size, most: limits.maxFileBytes }
    return t('workspace.upload-too-big', values)
  }
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (usage.usedBytes + total > usage.limitBytes) {
    const largest = files.reduce((most, file) => (file.size > most.size ? file : most))
    return t('workspace.upload-no-room', {
      files: files.length,
      total,
      largest: shownPath(largest.path),
      used: usage.usedBytes,
      most: usage.limitBytes,
    })
  }
  if (usage.files + files.length > limits.maxFiles) {
    const values = { files: files.length, held: usage.files, most: limits.maxFiles }
    return t('workspace.upload-too-many', values)
  }
  return null
}

/** A file that was added under another name, because its own was taken. */
export interface Renamed {
  /** Its actual path. */
  readonly path: string
  /** The path that it should have had. */
  readonly wanted: string
}

/** Which of the placed files got another name. `placed` are the absolute paths of `paths`, in order. */
export function renamedOf(folder: string, paths: readonly string[], placed: readonly string[]): readonly Renamed[] {
  return placed.flatMap((path, index) => {
    const wanted = normalizePath(joinPath(folder, paths[index] ?? ''))
    return wanted.ok && wanted.value !== path ? [{ path, wanted: wanted.value }] : []
  })
}

/**
 * The steps that give the files their wanted names, replacing what is there; `folders` are the empty folders among
 * them.
 */
export function replaceInstead(
  folder: string,
  renamed: readonly Renamed[],
  folders: readonly Renamed[] = [],
): readonly FileChange[] {
  const tops = new Set<string>()
  const moves = renamed.map(({ path, wanted }): FileChange => {
    if (parentOf(path) !== folder) tops.add(topUnder(folder, path))
    return { kind: 'move', from: path, to: wanted }
  })
  const made = folders.map(({ path, wanted }): FileChange => {
    tops.add(topUnder(folder, path))
    return { kind: 'makeDirectory', path: wanted }
  })
  return [...moves, ...made, ...[...tops].map((path): FileChange => ({ kind: 'remove', path }))]
}

/** The entry of `folder` that contains a path below it. */
export function topUnder(folder: string, path: string): string {
  let at = path
  while (parentOf(at) !== folder && at !== '/') at = parentOf(at)
  return at
}

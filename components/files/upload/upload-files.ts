import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { quoted, barredInName, cleanName } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { type Vfs, vfsLimits } from '@/lib/vfs/vfs'
import { placeAllFiles, type IncomingFile } from '@/lib/client/files/place-files'
import { checkUpload, renamedOf, type Renamed } from '@/lib/client/files/upload/check-upload'
import type { ChosenFile } from './read-drop'

export type Uploaded =
  | {
      readonly ok: true
      readonly paths: readonly string[]
      /** The empty folders that were added. */
      readonly folders: readonly string[]
      readonly renamed: readonly Renamed[]
      readonly renamedFolders: readonly Renamed[]
      /** How many names contained invisible characters, which were removed. */
      readonly cleaned: number
    }
  | { readonly ok: false; readonly message: string }

/** An upload below this many bytes is over before its progress could be read. */
const TOLD_BYTES = 4_000_000

/** Bytes read, of all bytes; afterwards they are written in one transaction. */
export interface UploadProgress {
  readonly words: string
  readonly done: number
  readonly of: number
}

export interface UploadWork {
  readonly onProgress: (progress: UploadProgress) => void
  /** Cancels it before anything is written. */
  readonly signal: AbortSignal
}

/** Uploads all files or none. `vfs` records the change; small uploads report no progress. */
export async function uploadFiles(
  vfs: Vfs,
  folder: string,
  chosen: readonly ChosenFile[],
  { onProgress, signal }: UploadWork,
): Promise<Uploaded> {
  if (chosen.length === 0) return { ok: false, message: t('files-explorer.upload-empty') }
  const chosenFiles = chosen.flatMap(({ path, file }) => (file ? [{ path, file }] : []))
  const sizes = chosenFiles.map(({ path, file }) => ({ path, size: file.size }))
  const full = checkUpload(sizes, await vfs.usage(), vfsLimits)
  if (full !== null) return { ok: false, message: full }
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  const files: IncomingFile[] = []
  let read = 0
  for (const { path, file } of chosenFiles) {
    if (total >= TOLD_BYTES) {
      const words = t('wait.upload-read', { name: quoted(path, 80), done: read, all: total })
      onProgress({ words, done: read, of: total })
    }
    const data = await bytesOf(file)
    if (signal.aborted) return { ok: false, message: t('wait.upload-stopped') }
    if (data === null) {
      return {
        ok: false,
        message: t('files-explorer.upload-unreadable', { name: asUntrusted(path.slice(0, 80)) }),
      }
    }
    // Names are normalized as they are stored, so that a look-alike counts as an existing name.
    files.push({ path: cleanName(path.normalize('NFC')), data })
    read += file.size
  }
  if (total >= TOLD_BYTES) {
    onProgress({ words: t('wait.upload-write', { bytes: total }), done: total, of: total })
  }
  const folders = chosen.flatMap(({ path, file }) => (file ? [] : [cleanName(path.normalize('NFC'))]))
  const placed = await placeAllFiles(vfs, folder, files, { folders })
  if (!placed.ok) return { ok: false, message: placed.error.message }
  const paths = files.map(({ path }) => path)
  return {
    ok: true,
    paths: placed.value.files,
    folders: placed.value.folders,
    renamed: renamedOf(folder, paths, placed.value.files),
    cleaned: chosen.filter(({ path }) => barredInName(path) !== null).length,
    renamedFolders: renamedOf(folder, folders, placed.value.folders),
  }
}

/** Null if the browser can't read it: a folder dropped as a file, or a deleted file. */
async function bytesOf(file: File): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    return null
  }
}

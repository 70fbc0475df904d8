import { quoted } from '@/lib/base/foreign-text/foreign-text'
import { barredInName, cleanName } from '@/lib/base/foreign-text/clean-name'
import { formatBytes } from '@/lib/base/format-bytes'
import { vfsLimits } from '@/lib/vfs/limits'
import type { Vfs } from '@/lib/vfs/vfs'
import { placeAll, type IncomingFile } from '@/lib/workspace/place-files'
import { checkUpload } from '@/lib/workspace/upload/check-upload'
import { renamedOf, type Renamed } from '@/lib/workspace/upload/replace-instead'
import type { ChosenFile } from './read-drop'

export type Uploaded =
  | {
      readonly ok: true
      readonly paths: readonly string[]
      /** The empty ones that came in. */
      readonly folders: readonly string[]
      readonly renamed: readonly Renamed[]
      readonly renamedFolders: readonly Renamed[]
      /** How many names held characters that don't show; they came in without them. */
      readonly cleaned: number
    }
  | { readonly ok: false; readonly message: string }

/** Below this many bytes an upload is over before its progress could be read. */
const TOLD_BYTES = 4_000_000

/** Brings files in, all or none. `vfs` records what it does; `onProgress` gets words while big files are read. */
export async function uploadFiles(
  vfs: Vfs,
  folder: string,
  chosen: readonly ChosenFile[],
  onProgress: (words: string) => void,
): Promise<Uploaded> {
  if (chosen.length === 0) return { ok: false, message: 'There was no file in it. Nothing was uploaded.' }
  const chosenFiles = chosen.flatMap(({ path, file }) => (file ? [{ path, file }] : []))
  const sizes = chosenFiles.map(({ path, file }) => ({ path, size: file.size }))
  const full = checkUpload(sizes, await vfs.usage(), vfsLimits)
  if (full !== null) return { ok: false, message: full }
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  const files: IncomingFile[] = []
  let read = 0
  for (const { path, file } of chosenFiles) {
    if (total >= TOLD_BYTES) onProgress(`Reading ${quoted(path, 80)}: ${formatBytes(read)} of ${formatBytes(total)} …`)
    const data = await bytesOf(file)
    if (data === null) return { ok: false, message: `${quoted(path, 80)} can’t be read. Nothing was uploaded.` }
    // Names as the files keep them, or a twin that looks alike would not be seen as taken.
    files.push({ path: cleanName(path.normalize('NFC')), data })
    read += file.size
  }
  if (total >= TOLD_BYTES) onProgress(`Writing ${formatBytes(total)} …`)
  const folders = chosen.flatMap(({ path, file }) => (file ? [] : [cleanName(path.normalize('NFC'))]))
  const placed = await placeAll(vfs, folder, files, { folders })
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

/** Null for what the browser can't read: a folder that was dropped as a file, a file that is gone. */
async function bytesOf(file: File): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    return null
  }
}

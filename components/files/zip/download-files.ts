import { downloadBlob } from '@/components/ui/data/download-blob'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { nameOf } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import { kindOfFile } from '@/lib/client/files/kind-of-file'
import type { ZipWork } from '@/lib/client/files/zip/zip-library'

export interface DownloadWork extends ZipWork {
  /** A folder that a zip of everything leaves out. */
  readonly except?: string | null
}

type Downloaded = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** Downloads one file under its own name. */
export async function downloadFile(vfs: Vfs, path: string): Promise<Downloaded> {
  const data = await vfs.read(path)
  if (!data.ok) return { ok: false, message: data.error.message }
  const type = kindOfFile(path, data.value).mimeType
  downloadBlob(nameOf(path), new Blob([data.value as Uint8Array<ArrayBuffer>], { type }))
  return { ok: true }
}

/**
 * Downloads files and folders as one zip, `/` for all; `name` has no extension. Rejects only with the signal's reason.
 */
export async function downloadAsZip(
  vfs: Vfs,
  paths: readonly string[],
  name: string,
  work: DownloadWork = {},
): Promise<Downloaded> {
  const [{ zipMembers }, { createZip }] = await Promise.all([
    loadPart(() => import('@/lib/client/files/zip/zip-members')),
    loadPart(() => import('@/lib/client/files/zip/create-zip')),
  ])
  const members = await zipMembers(vfs, paths, work.except)
  if (!members.ok) return { ok: false, message: members.error.message }
  try {
    const allFiles = members.value.filter(({ path }) => !path.endsWith('/')).length
    const { onProgress, ...rest } = work
    const zip = await createZip(members.value, {
      ...rest,
      ...(onProgress && { onProgress: (progress) => onProgress({ ...progress, allFiles }) }),
    })
    downloadBlob(`${name}.zip`, zip)
    return { ok: true }
  } catch (error) {
    work.signal?.throwIfAborted()
    return { ok: false, message: error instanceof Error ? error.message : t('files-explorer.no-zip') }
  }
}

/** Downloads a selection: one file unchanged, anything else as a zip. */
export async function downloadSelection(
  vfs: Vfs,
  paths: readonly string[],
  work: DownloadWork = {},
): Promise<Downloaded> {
  const [only] = paths
  if (only === undefined) return { ok: true }
  if (paths.length > 1) return downloadAsZip(vfs, paths, 'files', work)
  const found: VfsResult<{ readonly kind: string }> = await vfs.stat(only)
  if (!found.ok) return { ok: false, message: found.error.message }
  return found.value.kind === 'file'
    ? downloadFile(vfs, only)
    : downloadAsZip(vfs, [only], only === '/' ? 'files' : nameOf(only), work)
}

import { t } from '@/lib/i18n/t'
import { quoted } from '@/lib/base/untrusted-text/foreign-text'
import type { VfsLimits } from '@/lib/vfs/limits'
import type { VfsUsage } from '@/lib/vfs/vfs'

const shownPath = (path: string): string => quoted(path, 80)

export interface UploadSize {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** Why these files can't come in, said before anything is read or written; null when there is room. */
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

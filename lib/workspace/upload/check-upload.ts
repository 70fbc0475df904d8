import { quoted } from '@/lib/base/foreign-text/foreign-text'
import { formatBytes } from '@/lib/base/format-bytes'
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
    const most = `one file may hold ${formatBytes(limits.maxFileBytes)}`
    return `${shownPath(big.path)} is too big: it has ${formatBytes(big.size)}, and ${most}. Nothing was uploaded.`
  }
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (usage.usedBytes + total > usage.limitBytes) {
    const largest = files.reduce((most, file) => (file.size > most.size ? file : most))
    const full = `this chat’s files use ${formatBytes(usage.usedBytes)} of ${formatBytes(usage.limitBytes)}`
    const named = files.length > 1 ? `, the largest is ${shownPath(largest.path)}` : ''
    const what =
      files.length > 1 ? `${files.length.toLocaleString('en')} files of ${formatBytes(total)}` : shownPath(largest.path)
    const size = files.length > 1 ? '' : ` of ${formatBytes(total)}`
    return `There is no room for ${what}${size}${named}: ${full}. Nothing was uploaded.`
  }
  if (usage.files + files.length > limits.maxFiles) {
    const most = limits.maxFiles.toLocaleString('en')
    const held = `this chat holds ${usage.files.toLocaleString('en')} files, and ${most} is the most it can hold`
    return `There is no room for ${files.length.toLocaleString('en')} more files: ${held}. Nothing was uploaded.`
  }
  return null
}

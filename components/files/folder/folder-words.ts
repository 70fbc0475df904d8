import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { errorText } from '@/lib/base/app-error'
import { isNamed } from '@/lib/client/folder/disk'
import type { TakenIn } from '@/lib/client/folder/take-in'
import { t } from '@/lib/i18n/t'

/** Why a folder can't be read, and how to fix it. */
export function folderProblem(error: unknown, folder: string): string {
  const name = asUntrusted(folder)
  if (isNamed(error, 'NotFoundError')) return t('files-folder.gone', { name })
  if (isNamed(error, 'NotAllowedError', 'SecurityError')) return t('files-folder.denied', { name })
  if (isNamed(error, 'QuotaExceededError')) return t('files-folder.no-room')
  return t('files-folder.unreadable', { name, why: asUntrusted(errorText(error)) })
}

/** Why changes on disk were not copied into the workspace. */
export const takeInProblem = (taken: TakenIn & { readonly ok: false }): string =>
  taken.why === 'changed'
    ? t('files-folder.changed-since', { path: asUntrusted(taken.path) })
    : taken.failure.error.message

import { errorText } from '@/lib/base/error-text'
import { t } from '@/lib/i18n/t'
import { shownName } from './member-name'
import type { ZipLibrary } from './zip-library'

/** What is wrong with a zip that zip.js gave up on, as a sentence; `path` is the member it was at. */
export function zipFault(library: ZipLibrary, error: unknown, path: string | null): string {
  const reason = errorText(error)
  switch (reason) {
    case library.ERR_OVERLAPPING_ENTRY:
      return t('zip.shared-bytes')
    case library.ERR_SPLIT_ZIP_FILE:
      return t('zip.split')
    case library.ERR_ENCRYPTED_CENTRAL_DIRECTORY:
      return t('zip.locked')
    case library.ERR_AMBIGUOUS_ARCHIVE:
      return t('zip.ambiguous')
    case library.ERR_BAD_FORMAT:
    case library.ERR_EOCDR_NOT_FOUND:
    case library.ERR_EOCDR_LOCATOR_ZIP64_NOT_FOUND:
    case library.ERR_CENTRAL_DIRECTORY_NOT_FOUND:
      return t('zip.no-zip')
    default:
      return path === null ? t('zip.damaged') : t('zip.damaged-at', { name: shownName(path) })
  }
}

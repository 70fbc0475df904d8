import { errorText } from '@/lib/base/error-text'
import { shownName } from './member-name'
import type { ZipLibrary } from './zip-library'

/** What is wrong with a zip that zip.js gave up on, as a sentence; `path` is the member it was at. */
export function zipFault(library: ZipLibrary, error: unknown, path: string | null): string {
  const reason = errorText(error)
  const end = 'Nothing was unpacked.'
  switch (reason) {
    case library.ERR_OVERLAPPING_ENTRY:
      return `Files in this zip share the same bytes, as in zip bombs. ${end}`
    case library.ERR_SPLIT_ZIP_FILE:
      return `This is one part of a zip that was split into several. ${end}`
    case library.ERR_ENCRYPTED_CENTRAL_DIRECTORY:
      return `This zip is locked with a password. ${end}`
    case library.ERR_AMBIGUOUS_ARCHIVE:
      return `This zip says two different things about what it holds. ${end}`
    case library.ERR_BAD_FORMAT:
    case library.ERR_EOCDR_NOT_FOUND:
    case library.ERR_EOCDR_LOCATOR_ZIP64_NOT_FOUND:
    case library.ERR_CENTRAL_DIRECTORY_NOT_FOUND:
      return `This is not a zip file, or its end is missing. ${end}`
    default:
      return path === null
        ? `This zip can’t be read: it is damaged. ${end}`
        : `${shownName(path)} can’t be unpacked: the zip is damaged there. ${end}`
  }
}

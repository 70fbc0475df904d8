import { checkFile, type CheckedFile } from '@/lib/client/export/record/check-file'
import { readZip } from '@/lib/client/files/zip/read-zip'

/** Checks a chosen file, in this page only. */
export const checkChosen = (file: Blob, signal: AbortSignal): Promise<CheckedFile> =>
  checkFile(file, { readZip, signal })

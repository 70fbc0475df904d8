import { loadPart } from '@/lib/i18n/load-part'

/**
 * zip.js without its workers and without WebAssembly: the browser's own compression streams run off the main thread
 * already, and the page's policy allows neither inline workers nor WebAssembly. Loaded on first use.
 */
export async function loadZipLibrary() {
  const library = await loadPart(() => import('@zip.js/zip.js/lib/zip-core-native.js'))
  library.configure({ useWebWorkers: false })
  return library
}

export type ZipLibrary = Awaited<ReturnType<typeof loadZipLibrary>>

/** Progress of reading or writing a zip. Bytes are those of the unpacked files. */
export interface ZipProgress {
  readonly files: number
  readonly bytes: number
  /** The total, if it is known in advance. */
  readonly allFiles?: number
  readonly allBytes?: number
}

export interface ZipWork {
  readonly onProgress?: (progress: ZipProgress) => void
  readonly signal?: AbortSignal
}

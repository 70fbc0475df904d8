import { loadPart } from '@/lib/i18n/load-part'

/**
 * zip.js without its workers and without WebAssembly: the browser's own compression streams do the work, off the main
 * thread already, and the page's policy allows neither inline workers nor WebAssembly. Loaded on first need.
 */
export async function loadZipLibrary() {
  const library = await loadPart(() => import('@zip.js/zip.js/lib/zip-core-native.js'))
  library.configure({ useWebWorkers: false })
  return library
}

export type ZipLibrary = Awaited<ReturnType<typeof loadZipLibrary>>

/** How far a zip is read or written. Bytes are those of the unpacked files. */
export interface ZipProgress {
  readonly files: number
  readonly bytes: number
  /** Of all, as far as that is known before. */
  readonly allFiles?: number
  readonly allBytes?: number
}

export interface ZipWork {
  readonly onProgress?: (progress: ZipProgress) => void
  readonly signal?: AbortSignal
}

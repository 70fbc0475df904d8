import { t } from '@/lib/i18n/t'
import type { Entry, FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js'
import { err, ok, type Result } from '@/lib/base/result'
import type { IncomingFile } from '../place-files'
import { shownName, memberName } from './create-zip'
import { loadZipLibrary, type ZipWork, type ZipLibrary } from './zip-library'
import { errorText } from '@/lib/base/app-error'

interface SkippedMember {
  /** Safe to show. */
  readonly name: string
  readonly why: string
}

interface Gathered {
  readonly members: readonly { readonly path: string; readonly entry: FileEntry }[]
  /** Folders with an entry of their own, as `a/b`. */
  readonly folders: readonly string[]
  /** The number of folders that would be created, named or not. */
  readonly allFolders: number
  readonly skipped: readonly SkippedMember[]
  /** A sentence for the whole zip, or null. */
  readonly refusal: string | null
}

const stored = 0
const deflated = 8

/** Decides which of a zip's entries are unpacked, and where to, by their headers alone. */
function gatherMembers(entries: readonly Entry[]): Gathered {
  const members: { path: string; entry: FileEntry }[] = []
  const files = new Set<string>()
  const folders = new Set<string>()
  const named = new Set<string>()
  const skipped: SkippedMember[] = []
  const abandon = (refusal: string): Gathered => ({
    members: [],
    folders: [],
    allFolders: 0,
    skipped: [],
    refusal,
  })

  for (const entry of entries) {
    const skip = (why: string) => void skipped.push({ name: shownName(entry.filename) || '(no name)', why })
    const name = memberName(entry.filename)
    if (name.kind === 'quiet') continue
    if (name.kind === 'refused') {
      skip(name.why)
      continue
    }
    if (!isReadable(entry)) {
      skip(t('zip.no-text-name'))
      continue
    }
    if (entry.symlink) {
      skip(t('zip.is-link'))
      continue
    }
    const { path } = name
    const above = foldersAbove(path)
    if (above.some((folder) => files.has(folder))) {
      skip(t('zip.folder-is-file'))
      continue
    }
    if (entry.directory) {
      if (files.has(path)) {
        skip(t('zip.file-of-same-name'))
        continue
      }
      for (const folder of [...above, path]) folders.add(folder)
      named.add(path)
      continue
    }
    if (files.has(path)) {
      skip(t('zip.twice'))
      continue
    }
    if (folders.has(path)) {
      skip(t('zip.folder-of-same-name'))
      continue
    }
    if (entry.encrypted) return abandon(t('zip.member-locked', { name: shownName(path) }))
    if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
      return abandon(t('zip.unknown-method', { name: shownName(path), method: entry.compressionMethod }))
    }
    files.add(path)
    for (const folder of above) folders.add(folder)
    members.push({ path, entry })
  }
  return { members, folders: [...named], allFolders: folders.size, skipped, refusal: null }
}

/** `a/b/c.txt` → `a`, `a/b`. */
function foldersAbove(path: string): readonly string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}

/** A name that is marked as UTF-8 must be valid; zip.js uses replacement characters if it is not. */
function isReadable({ bitFlag, rawFilename }: Entry): boolean {
  if (bitFlag?.languageEncodingFlag !== true) return true
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(rawFilename)
    return true
  } catch {
    return false
  }
}

export interface ZipLimits {
  readonly maxFiles: number
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
  /** Unpacked bytes for each packed one, over the whole zip. Left out: only the sizes are limited. */
  readonly maxRatio?: number
}

export interface ZipContents {
  /** In the zip's order; no two have the same path, and none is a folder of another. */
  readonly files: readonly IncomingFile[]
  /** Folders that the zip names, as `a/b`; some contain files too. */
  readonly folders: readonly string[]
  /** For each member that was left out, a sentence that says why. */
  readonly skipped: readonly SkippedMember[]
}

/**
 * Unpacks a zip into memory: all its files, or a sentence that says why not. Sizes are counted while the data is
 * inflated; the zip's own numbers are only trusted when they are too large. Zips inside it stay files. Rejects only
 * with the signal's reason when aborted.
 */
export async function readZip(
  blob: Blob,
  limits: ZipLimits,
  { onProgress, signal }: ZipWork = {},
): Promise<Result<ZipContents, { readonly message: string }>> {
  signal?.throwIfAborted()
  const library = await loadZipLibrary()
  const reader = new library.ZipReader(new library.BlobReader(blob), {
    checkCrc32: true,
    checkOverlappingEntry: true,
    // `memberName` checks each name: a bad one leaves out its file, not the whole zip.
    filenameValidation: 'tolerant',
    ...(signal ? { signal } : {}),
  })
  let current: string | null = null
  try {
    const entries: Entry[] = []
    for await (const entry of reader.getEntriesGenerator()) {
      entries.push(entry)
      // Folders and skipped entries count too: a list of a million names is a zip bomb itself.
      if (entries.length > limits.maxFiles * 2 + 1_000)
        return err({ message: t('zip.too-many', { most: limits.maxFiles }) })
    }
    const { members, folders, allFolders, skipped, refusal } = gatherMembers(entries)
    if (refusal !== null) return err({ message: refusal })
    if (members.length > limits.maxFiles || allFolders > limits.maxFiles) {
      return err({ message: t('zip.too-many', { most: limits.maxFiles }) })
    }
    const budget = createBudget(limits, blob.size)
    const claimed = budget.claim(members.map(({ path, entry }) => ({ path, size: entry.uncompressedSize })))
    if (claimed !== null) return err({ message: claimed })

    const allBytes = members.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
    const files: IncomingFile[] = []
    let bytes = 0
    for (const { path, entry } of members) {
      signal?.throwIfAborted()
      current = path
      const data = await inflate(entry, (size) => budget.spend(path, size))
      files.push({ path, data })
      bytes += data.byteLength
      onProgress?.({ files: files.length, bytes, allFiles: members.length, allBytes })
    }
    return ok({ files, folders, skipped })
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof OverBudget) return err({ message: error.message })
    return err({ message: zipFault(library, error, current) })
  } finally {
    await reader.close()
  }
}

/** Thrown through the inflating stream, so that it stops at once. */
class OverBudget extends Error {}

function createBudget(limits: ZipLimits, packedBytes: number) {
  const maxBytes = Math.min(limits.maxTotalBytes, packedBytes * (limits.maxRatio ?? Infinity))
  let spent = 0
  const tooBig = (path: string) => t('zip.member-too-big', { name: shownName(path), most: limits.maxFileBytes })
  const tooMuch = () =>
    limits.maxTotalBytes <= maxBytes
      ? t('zip.no-room', { most: limits.maxTotalBytes })
      : t('zip.bomb', { packed: packedBytes, most: maxBytes })
  return {
    /** A sentence if the declared sizes are already too large. */
    claim(declared: readonly { readonly path: string; readonly size: number }[]): string | null {
      let total = 0
      for (const { path, size } of declared) {
        if (size > limits.maxFileBytes) return tooBig(path)
        total += size
        if (total > maxBytes) return tooMuch()
      }
      return null
    },
    /** Counts the bytes that were read of a file, in total so far; throws if there are too many. */
    spend(path: string, { chunk, file }: { readonly chunk: number; readonly file: number }): void {
      spent += chunk
      if (file > limits.maxFileBytes) throw new OverBudget(tooBig(path))
      if (spent > maxBytes) throw new OverBudget(tooMuch())
    },
  }
}

async function inflate(
  entry: FileEntry,
  spend: (size: { readonly chunk: number; readonly file: number }) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  let over: unknown = null
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      size += chunk.byteLength
      try {
        spend({ chunk: chunk.byteLength, file: size })
      } catch (error) {
        over = error
        throw error
      }
      chunks.push(chunk)
    },
  })
  try {
    await entry.getData(sink)
  } catch (error) {
    throw over ?? error
  }
  const data = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    data.set(chunk, at)
    at += chunk.byteLength
  }
  return data
}

/** A sentence about a zip that zip.js failed on; `path` is the member where it failed. */
function zipFault(library: ZipLibrary, error: unknown, path: string | null): string {
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

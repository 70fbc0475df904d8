import { decodeText } from '@/lib/base/text/text-encoding'
import { isInside } from '@/lib/vfs/path'
import type { ReadableVfs, VfsEntry } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { ToolContext } from '../tool'
import type { PathMatcher } from './glob'
import type { SearchLimits } from './limits'

/** Results that were too large to send, kept by the executor: noise, unless they are asked for. */
const ownFolder = '/.nod'

export interface SearchLocation {
  /** Normalised. */
  readonly folder: string
  readonly entry: VfsEntry
  readonly matches: PathMatcher
}

export interface MeantFile {
  readonly path: string
  readonly size: number
}

/** What was left out and why, for the note of the result. */
export interface LeftOut {
  files: number
  binary: number
  large: string[]
  stoppedAtFiles: boolean
  stoppedAtBytes: boolean
}

export const nothingLeftOut = (): LeftOut => ({
  files: 0,
  binary: 0,
  large: [],
  stoppedAtFiles: false,
  stoppedAtBytes: false,
})

const depthOf = (path: string) => path.split('/').length

/** The files that are meant, as of one moment: what lies higher up first, else in the order of the tree. */
export async function meantFiles(
  { folder, entry, matches }: SearchLocation,
  vfs: ReadableVfs,
): Promise<VfsResult<readonly MeantFile[]>> {
  if (entry.kind === 'file') return { ok: true, value: [{ path: folder, size: entry.size }] }
  const tree = await vfs.tree(folder)
  if (!tree.ok) return tree
  const isHidden = (path: string) => isInside(path, ownFolder) && !isInside(folder, ownFolder)
  const files = tree.value
    .filter(({ kind, path }) => kind === 'file' && matches(path) && !isHidden(path))
    .map(({ path, size }) => ({ path, size, depth: depthOf(path) }))
    .toSorted((a, b) => a.depth - b.depth)
  return { ok: true, value: files.map(({ path, size }) => ({ path, size })) }
}

export interface FileToSearch {
  readonly path: string
  readonly data: Uint8Array
  /** How many of the files that are meant had been come to, this one included. */
  readonly nth: number
}

/**
 * The bytes of each file that can be searched, up to `totalBytes`; `left.files` counts all that it came to. A file that
 * goes away is passed over. Ends early when `signal` aborts.
 */
export async function* filesToSearch(
  files: readonly MeantFile[],
  { vfs, signal }: Pick<ToolContext<'read'>, 'vfs' | 'signal'>,
  limits: SearchLimits,
  totalBytes: number,
  left: LeftOut,
): AsyncGenerator<FileToSearch> {
  let bytes = 0
  for (const { path, size } of files) {
    if (signal.aborted) return
    if (left.files >= limits.files) {
      left.stoppedAtFiles = true
      return
    }
    left.files += 1
    if (size > limits.fileBytes) {
      left.large.push(path)
      continue
    }
    if (bytes + size > totalBytes) {
      left.stoppedAtBytes = true
      return
    }
    const nth = left.files
    const read = await vfs.read(path)
    if (!read.ok) continue
    bytes += read.value.byteLength
    yield { path, data: read.value, nth }
  }
}

/** The text of each file that is one. */
export async function* textsOf(
  files: AsyncIterable<FileToSearch>,
  left: LeftOut,
): AsyncGenerator<{ readonly path: string; readonly text: string }> {
  for await (const { path, data } of files) {
    const read = decodeText(data)
    if (read === null) left.binary += 1
    else yield { path, text: read.text }
  }
}

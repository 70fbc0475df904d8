import { isInside } from '@/lib/vfs/path'
import type { VfsEntry } from '@/lib/vfs/vfs'
import { describeBinary } from '../describe-binary'
import type { ToolContext } from '../tool'
import { walkEntries, type FoundFile } from '../walk-files'
import type { PathMatcher } from './glob'
import type { SearchLimits } from './limits'

/** Results that were too large to send, kept by the executor: noise, unless they are asked for. */
const ownFolder = '/.nod'

export interface SearchPlace {
  /** Normalised. */
  readonly folder: string
  readonly entry: VfsEntry
  readonly matches: PathMatcher
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

type Ports = Pick<ToolContext, 'vfs' | 'signal'>

/** The files that are meant, in the order of the tree; `left.files` counts them. */
export async function* meantFiles(
  { folder, entry, matches }: SearchPlace,
  { vfs, signal }: Ports,
  limits: SearchLimits,
  left: LeftOut,
): AsyncGenerator<FoundFile> {
  if (entry.kind === 'file') {
    left.files = 1
    yield { path: folder, size: entry.size }
    return
  }
  for await (const { path, entry: found } of walkEntries(vfs, folder, signal)) {
    if (found.kind !== 'file' || !matches(path)) continue
    if (isInside(path, ownFolder) && !isInside(folder, ownFolder)) continue
    if (left.files >= limits.files) {
      left.stoppedAtFiles = true
      return
    }
    left.files += 1
    yield { path, size: found.size }
  }
}

/** The text of each file that is meant and can be searched, up to `totalBytes`. A file that goes away is passed over. */
export async function* textFiles(
  place: SearchPlace,
  ports: Ports,
  limits: SearchLimits,
  totalBytes: number,
  left: LeftOut,
): AsyncGenerator<{ readonly path: string; readonly text: string }> {
  let bytes = 0
  for await (const { path, size } of meantFiles(place, ports, limits, left)) {
    if (size > limits.fileBytes) {
      left.large.push(path)
      continue
    }
    if (bytes + size > totalBytes) {
      left.stoppedAtBytes = true
      return
    }
    const read = await ports.vfs.read(path)
    if (!read.ok) continue
    bytes += read.value.byteLength
    if (describeBinary(read.value) !== null) left.binary += 1
    else yield { path, text: new TextDecoder().decode(read.value) }
  }
}

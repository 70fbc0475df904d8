import type { VfsTreeEntry } from '@/lib/vfs/vfs'
import type { PageFiles } from './page-files'

/** The files around a page, for what its scripts ask for while it runs. Crosses to its frame as it is. */
export interface PageBundle {
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Files that are there and too much to be taken along. */
  readonly left: readonly string[]
}

export const noBundle: PageBundle = { files: new Map(), left: [] }

/** As many of the files as fit, the nearest to the page first. */
export async function bundleOf(
  entries: readonly Pick<VfsTreeEntry, 'kind' | 'path' | 'size'>[],
  page: string,
  files: PageFiles,
): Promise<PageBundle> {
  const found = new Map<string, Uint8Array>()
  const left: string[] = []
  const nearest = entries
    .filter(({ kind }) => kind === 'file')
    .map((entry) => ({ ...entry, away: stepsBetween(entry.path, page) }))
    .toSorted((a, b) => a.away - b.away || (a.path < b.path ? -1 : 1))
  for (const { path, size } of nearest) {
    const file = await files.beside(path, size)
    if (file === null) left.push(path)
    else found.set(path, file.data)
  }
  return { files: found, left }
}

/** Folders to go up and down from one file to another. */
function stepsBetween(a: string, b: string): number {
  const [one, other] = [a.split('/').slice(1, -1), b.split('/').slice(1, -1)]
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared++
  return one.length + other.length - 2 * shared
}

/** Paths at which two bundles differ. */
export function changedIn(before: PageBundle, now: PageBundle): readonly string[] {
  const paths = new Set([...before.files.keys(), ...now.files.keys()])
  return [...paths].filter((path) => !isSame(before.files.get(path), now.files.get(path)))
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a === b || (a.byteLength === b.byteLength && a.every((byte, at) => byte === b[at]))
}

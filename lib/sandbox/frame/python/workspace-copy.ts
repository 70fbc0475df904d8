import { formatBytes } from '@/lib/base/format-bytes'
import type { CallHost } from '../host-calls'
import type { FileStat } from '../protocol'
import { isOwnPlace, type GuestFiles } from './guest-files'

/** Python works on a copy in memory: what is more than this is refused before anything is read. */
export const copyLimits = { files: 5_000, bytes: 100_000_000 } as const

/** The app's own folder: results that were kept whole. */
const appFolder = '/.nod'

/** How the conversation's files were when the code began. */
export interface Baseline {
  readonly files: ReadonlyMap<string, { readonly size: number; readonly modifiedAt: number }>
  readonly folders: ReadonlySet<string>
}

/** A sentence for the reader of the result, model or person. */
export class CopyRefused extends Error {}

const join = (folder: string, name: string) => (folder === '/' ? `/${name}` : `${folder}/${name}`)

const listFolder = async (callHost: CallHost, folder: string): Promise<readonly FileStat[]> => {
  const answer = await callHost('list', [folder])
  if (!answer.ok) throw new CopyRefused(`The files of this chat could not be read: ${answer.message}`)
  return answer.value as readonly FileStat[]
}

async function listAll(callHost: CallHost) {
  const files: { readonly path: string; readonly stat: FileStat }[] = []
  const folders: string[] = []
  const visit = async (folder: string): Promise<void> => {
    const inner: string[] = []
    for (const stat of await listFolder(callHost, folder)) {
      const path = join(folder, stat.name)
      if (path === appFolder) continue
      if (stat.kind === 'file') files.push({ path, stat })
      else {
        folders.push(path)
        inner.push(path)
      }
    }
    await Promise.all(inner.map(visit))
  }
  await visit('/')
  return { files, folders: folders.toSorted() }
}

/**
 * Copies the conversation's files to the same paths for Python to work on. Files at places of Python's own are left out,
 * and named. Throws CopyRefused when they are too many, too large, or can't be read.
 */
export async function copyIn(
  files: GuestFiles,
  callHost: CallHost,
  limits: { readonly files: number; readonly bytes: number } = copyLimits,
): Promise<{ readonly baseline: Baseline; readonly leftOut: readonly string[] }> {
  const found = await listAll(callHost)
  const bytes = found.files.reduce((sum, { stat }) => sum + stat.size, 0)
  if (found.files.length > limits.files || bytes > limits.bytes) {
    throw new CopyRefused(
      `Python works on a copy of this chat’s files, and they are too much for that: ${found.files.length} files of ` +
        `${formatBytes(bytes)} in all (at most ${limits.files} files and ${formatBytes(limits.bytes)}). Use JavaScript, or delete some.`,
    )
  }
  const baseline = { files: new Map<string, { size: number; modifiedAt: number }>(), folders: new Set<string>() }
  // `/lib` is there already, and may hold more of the conversation's.
  for (const folder of found.folders.filter((path) => path === '/lib' || !isOwnPlace(path))) {
    files.mkdirTree(folder)
    baseline.folders.add(folder)
  }
  const mine = found.files.filter(({ path }) => !isOwnPlace(path))
  await Promise.all(
    mine.map(async ({ path }) => {
      const answer = await callHost('read', [path])
      if (!answer.ok || !(answer.value instanceof Uint8Array))
        throw new CopyRefused(`${path} could not be read: ${answer.ok ? 'it has no content' : answer.message}`)
      files.writeFile(path, answer.value, { canOwn: true })
    }),
  )
  for (const { path, stat } of mine) {
    files.utime(path, stat.modifiedAt, stat.modifiedAt)
    const { size, mtime } = files.lstat(path)
    baseline.files.set(path, { size, modifiedAt: mtime.getTime() })
  }
  return { baseline, leftOut: found.files.flatMap(({ path }) => (isOwnPlace(path) ? [path] : [])) }
}

interface Standing {
  readonly files: Map<string, { readonly size: number; readonly modifiedAt: number }>
  readonly folders: Set<string>
  /** Links and the like, which the conversation's files don't have. */
  readonly others: string[]
}

function standing(files: GuestFiles): Standing {
  const found: Standing = { files: new Map(), folders: new Set(), others: [] }
  const visit = (folder: string): void => {
    for (const name of files.readdir(folder)) {
      const path = join(folder, name)
      if (name === '.' || name === '..' || path === appFolder) continue
      const { mode, size, mtime } = files.lstat(path)
      if (files.isDir(mode)) {
        found.folders.add(path)
        visit(path)
      } else if (files.isFile(mode)) found.files.set(path, { size, modifiedAt: mtime.getTime() })
      else found.others.push(path)
    }
  }
  visit('/')
  return found
}

const isSame = (a: Uint8Array, b: Uint8Array) =>
  a.byteLength === b.byteLength && a.every((value, index) => value === b[index])

const isUnder = (path: string, folder: string) => path.startsWith(`${folder}/`)

/**
 * Takes to the conversation's files what the code changed: first what is gone, then folders, then files, each only if it
 * really is another. Gives a sentence for each thing that could not be kept.
 */
export async function copyBack(files: GuestFiles, callHost: CallHost, baseline: Baseline): Promise<readonly string[]> {
  const now = standing(files)
  const failures = now.others.map((path) => `${path} is a link, and only files and folders are kept.`)
  const ask = async (path: string, op: string, ...rest: (string | Uint8Array)[]) => {
    const answer = await callHost(op, [path, ...rest])
    if (!answer.ok) failures.push(`${path}: ${answer.message}`)
  }

  const gone = [
    // `/lib` is out of sight while it is empty, and can't be taken away: it holds Python's own.
    ...[...baseline.folders].filter((path) => path !== '/lib' && !now.folders.has(path)),
    ...[...baseline.files.keys()].filter((path) => !now.files.has(path)),
  ].toSorted()
  const tops = gone.filter((path) => !gone.some((other) => isUnder(path, other)))
  for (const path of tops) await ask(path, 'rm', 'recursive force')
  for (const path of [...now.folders].filter((folder) => !baseline.folders.has(folder)).toSorted())
    await ask(path, 'mkdir', 'recursive')

  const write = async (path: string, before: { readonly size: number; readonly modifiedAt: number } | undefined) => {
    const after = now.files.get(path)
    if (before !== undefined && after?.size === before.size && after.modifiedAt === before.modifiedAt) return
    const content = files.readFile(path)
    if (before?.size === content.byteLength) {
      const stored = await callHost('read', [path])
      if (stored.ok && stored.value instanceof Uint8Array && isSame(stored.value, content)) return
    }
    await ask(path, 'write', content)
  }
  // A file under a folder that is gone was taken out with it, even if a new one stands there now.
  const wasRemoved = (path: string) => tops.some((top) => path === top || isUnder(path, top))
  await Promise.all(
    [...now.files.keys()]
      .toSorted()
      .map((path) => write(path, wasRemoved(path) ? undefined : baseline.files.get(path))),
  )
  return failures
}

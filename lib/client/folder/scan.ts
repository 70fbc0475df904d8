import makeIgnore, { type Ignore } from 'ignore'
import { normalizePath, refusedName } from '@/lib/vfs/path'
import { vfsLimits } from '@/lib/vfs/vfs'
import { isNamed, type DiskFile, type DiskFileHandle, type DiskFolderHandle } from './disk'

/*
 * Which files of a folder are left out: by `.gitignore` files at any depth, as Git reads them, and by names that are
 * always left out.
 */

/** The trash folder for deleted files. */
export const trashName = '.nod-trash'

const neverTaken = new Set(['.git', 'node_modules', trashName, '.DS_Store', 'Thumbs.db', 'desktop.ini'])

/** Never read nor written, whatever the rules say: a program in `.git/hooks` would run outside the browser. */
export const isNeverTaken = (name: string): boolean => neverTaken.has(name) || name.endsWith('.crswap')

/** True if a name in the path is always left out. Names are compared without case, as some disks do. */
export const leadsToNeverTaken = (path: string): boolean =>
  path.split('/').some((name) => isNeverTaken(name) || isNeverTaken(name.toLowerCase()))

const maxRules = 2_000
const maxRuleLength = 500
/** A pattern with many stars in one name can take exponential time on a long name. */
const maxStars = 3

const isUsable = (rule: string): boolean =>
  rule.length <= maxRuleLength && rule.split('/').every((part) => (part.match(/\*+/g)?.length ?? 0) <= maxStars)

interface Level {
  /** The folder of the file, relative; '' is the root. */
  readonly folder: string
  readonly rules: Ignore
}

export type IgnoreRules = readonly Level[]

/** The rules below `folder`, which contains this `.gitignore`. */
export function withRules(above: IgnoreRules, folder: string, text: string): IgnoreRules {
  const usable = text.split(/\r?\n/).slice(0, maxRules).filter(isUsable)
  return [...above, { folder, rules: makeIgnore({ ignorecase: false, allowRelativePaths: true }).add(usable) }]
}

/** Whether a path is ignored. Assumes that its parent folders are not, because ignored folders are never searched. */
export function isIgnored(rules: IgnoreRules, path: string, kind: 'file' | 'directory'): boolean {
  let ignored = false
  for (const { folder, rules: level } of rules) {
    if (folder !== '' && !path.startsWith(`${folder}/`)) continue
    const below = folder === '' ? path : path.slice(folder.length + 1)
    const found = level.test(kind === 'directory' ? `${below}/` : below)
    if (found.ignored) ignored = true
    else if (found.unignored) ignored = false
  }
  return ignored
}

/** For binary files only. Text is read at any size that the workspace can hold. */
const maxBinaryBytes = 5_000_000
const sniffedBytes = 8_192
const maxRuleFileBytes = 1_000_000
/** Number of files whose size is requested at the same time. */
const inParallel = 32

export interface ScannedFile {
  /** Relative path in the workspace. */
  readonly path: string
  /** Relative path on disk. */
  readonly disk: string
  readonly size: number
  readonly modifiedAt: number
  readonly handle: DiskFileHandle
}

/** `name`: the workspace does not allow the name. */
export type SkippedWhy = 'large' | 'binary' | 'name' | 'unreadable'

export interface FolderScan {
  readonly files: readonly ScannedFile[]
  /** Folders that hold nothing, relative, as the workspace names them. */
  readonly empty: readonly string[]
  readonly bytes: number
  readonly skipped: readonly { readonly path: string; readonly why: SkippedWhy }[]
  /** Number of files and folders that the rules leave out. */
  readonly ignored: number
  /** The limit that is exceeded. The scan stops there. */
  readonly over: 'files' | 'bytes' | null
}

export interface ScanLimits {
  readonly maxFiles: number
  readonly maxTotalBytes: number
  readonly maxFileBytes: number
}

export interface ScanWork {
  readonly signal?: AbortSignal
  readonly onProgress?: (files: number) => void
  readonly limits?: ScanLimits
}

/**
 * Lists what would be copied from a folder. The browser leaves out symbolic links. Rejects with the signal's reason, or
 * with the browser's error if the folder can't be read.
 */
export async function scanFolder(
  root: DiskFolderHandle,
  { signal, onProgress, limits = vfsLimits }: ScanWork = {},
): Promise<FolderScan> {
  const files: ScannedFile[] = []
  const skipped: { path: string; why: SkippedWhy }[] = []
  const names = new Set<string>()
  const empty: string[] = []
  let bytes = 0
  let ignored = 0
  let over: FolderScan['over'] = null
  const isOver = () => over !== null

  async function look(handle: DiskFileHandle, disk: string): Promise<void> {
    const path = workspacePath(disk)
    if (path === null || names.has(path)) return void skipped.push({ path: disk, why: 'name' })
    names.add(path)
    const file = await handle.getFile().catch(unreadable)
    if (file === null) return void skipped.push({ path, why: 'unreadable' })
    if (file.size > limits.maxFileBytes) return void skipped.push({ path, why: 'large' })
    if (file.size > maxBinaryBytes && (await isBinary(file))) return void skipped.push({ path, why: 'binary' })
    files.push({ path, disk, size: file.size, modifiedAt: file.lastModified, handle })
    bytes += file.size
    if (files.length > limits.maxFiles) over = 'files'
    else if (bytes > limits.maxTotalBytes) over = 'bytes'
  }

  async function walk(folder: DiskFolderHandle, at: string, above: IgnoreRules): Promise<void> {
    signal?.throwIfAborted()
    const entries: (readonly [string, DiskFileHandle | DiskFolderHandle])[] = []
    for await (const entry of folder.entries()) entries.push(entry)
    const isEmpty = entries.length === 0 && at !== '' && empty.length < limits.maxFiles
    const named = isEmpty ? workspacePath(at) : null
    if (named !== null) empty.push(named)
    const own = entries.find(([name, handle]) => name === '.gitignore' && handle.kind === 'file')?.[1]
    const rules = own?.kind === 'file' ? withRules(above, at, await ruleText(own)) : above
    const here: (readonly [string, DiskFileHandle])[] = []
    const below: (readonly [string, DiskFolderHandle])[] = []
    for (const [name, handle] of entries) {
      const path = at === '' ? name : `${at}/${name}`
      if (isNeverTaken(name) || isIgnored(rules, path, handle.kind)) ignored += 1
      else if (handle.kind === 'file') here.push([path, handle])
      else below.push([path, handle])
    }
    for (let from = 0; from < here.length && !isOver(); from += inParallel) {
      await Promise.all(here.slice(from, from + inParallel).map(([path, handle]) => look(handle, path)))
      onProgress?.(files.length)
      signal?.throwIfAborted()
    }
    for (const [path, handle] of below) if (!isOver()) await walk(handle, path, rules)
  }

  await walk(root, '', [])
  files.sort((one, other) => (one.path < other.path ? -1 : 1))
  return { files, empty: empty.toSorted(), bytes, skipped, ignored, over }
}

/** Null if the workspace does not allow the name. */
function workspacePath(disk: string): string | null {
  const normal = normalizePath(disk)
  if (!normal.ok || refusedName(normal.value, (path) => path === '/') !== null) return null
  // A path that normalizes to a shorter one would name another file.
  return normal.value === `/${disk.normalize('NFC')}` ? normal.value.slice(1) : null
}

function unreadable(error: unknown): null {
  if (isNamed(error, 'NotFoundError', 'NotReadableError', 'NotAllowedError')) return null
  throw error
}

async function ruleText(handle: DiskFileHandle): Promise<string> {
  const file = await handle.getFile().catch(unreadable)
  if (file === null || file.size > maxRuleFileBytes) return ''
  const bytes = await file.arrayBuffer().catch(unreadable)
  return bytes === null ? '' : new TextDecoder().decode(bytes)
}

async function isBinary(file: DiskFile): Promise<boolean> {
  const start = await file.slice(0, sniffedBytes).arrayBuffer().catch(unreadable)
  return start === null || new Uint8Array(start).includes(0)
}

// Node's `path` for code that imports it: the posix half. Relative paths start at `/` unless a working folder is set.

let workingFolder = () => '/'

/** Sets where relative paths start; called each time. */
export function setWorkingFolder(folder: () => string): void {
  workingFolder = folder
}

const namesOf = (path: string, isAbsolute: boolean): string[] => {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.length > 0 && names.at(-1) !== '..') names.pop()
    else if (!isAbsolute) names.push('..')
  }
  return names
}

const isAbsolute = (path: string): boolean => path.startsWith('/')

function normalize(path: string): string {
  if (path === '') return '.'
  const absolute = isAbsolute(path)
  const names = namesOf(path, absolute).join('/')
  const tail = path.endsWith('/') && names !== '' ? '/' : ''
  if (names === '') return absolute ? '/' : path.endsWith('/') ? './' : '.'
  return (absolute ? '/' : '') + names + tail
}

function join(...parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '').join('/')
  return joined === '' ? '.' : normalize(joined)
}

function resolve(...parts: readonly string[]): string {
  let path = ''
  for (const part of parts.toReversed()) {
    if (part === '') continue
    path = path === '' ? part : `${part}/${path}`
    if (isAbsolute(part)) break
  }
  const whole = isAbsolute(path) ? path : `${workingFolder()}/${path}`
  return `/${namesOf(whole, true).join('/')}`
}

/** Start and end of the last name in a path, ignoring trailing slashes. */
function lastName(path: string): readonly [start: number, end: number] {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return [path.lastIndexOf('/', end - 1) + 1, end]
}

function dirname(path: string): string {
  if (path === '') return '.'
  const [start] = lastName(path)
  if (start === 0) return isAbsolute(path) ? '/' : '.'
  const head = path.slice(0, start - 1)
  // Node keeps repeated slashes except the last one.
  return head === '' ? (start > 1 ? '//' : '/') : head
}

function basename(path: string, suffix = ''): string {
  if (path === suffix) return ''
  const name = path.slice(...lastName(path))
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}

function extname(path: string): string {
  const name = path.slice(...lastName(path))
  const dot = name.lastIndexOf('.')
  return dot <= 0 || name === '..' ? '' : name.slice(dot)
}

function relative(from: string, to: string): string {
  const [here, there] = [namesOf(resolve(from), true), namesOf(resolve(to), true)]
  let shared = 0
  while (shared < here.length && shared < there.length && here[shared] === there[shared]) shared++
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/')
}

interface ParsedPath {
  readonly root: string
  readonly dir: string
  readonly base: string
  readonly ext: string
  readonly name: string
}

function parse(path: string): ParsedPath {
  const base = basename(path)
  const ext = extname(path)
  const [start] = lastName(path)
  const root = isAbsolute(path) ? '/' : ''
  const dir = start === 0 ? root : start === 1 ? '/' : path.slice(0, start - 1)
  return { root, dir, base, ext, name: ext === '' ? base : base.slice(0, -ext.length) }
}

function format({ root = '', dir = '', base = '', name = '', ext = '' }: Partial<ParsedPath>): string {
  const last = base !== '' ? base : name + (ext === '' || ext.startsWith('.') ? ext : `.${ext}`)
  const folder = dir === '' ? root : dir
  if (folder === '') return last
  return folder === root ? folder + last : `${folder}/${last}`
}

const methods = { normalize, join, resolve, dirname, basename, extname, relative, isAbsolute, parse, format }
const values = { sep: '/', delimiter: ':', toNamespacedPath: (path: string) => path }

export const posixPath = Object.freeze({ ...methods, ...values, posix: Object.freeze({ ...methods, ...values }) })

/** A folder's entries by name; null if there is no such folder. */
export type Folder = ReadonlyMap<string, 'file' | 'directory'> | null
export type ListFolder = (path: string) => Folder

export type ResolvedModule =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string }

const guessed = ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.mts', '.cts']
/** TypeScript's convention: the import names the file that the compiler would create. */
const writtenAs: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
  '.jsx': ['.tsx'],
}

const failed = (message: string, hint = ''): ResolvedModule => ({ kind: 'failed', message, hint })

/** The path of a specifier, or null if it leads outside the files. */
function pathOf(specifier: string, folder: string): string | null {
  const whole = specifier.startsWith('/') ? specifier : `${folder}/${specifier}`
  let depth = 0
  for (const name of whole.split('/')) {
    if (name === '' || name === '.') continue
    depth += name === '..' ? -1 : 1
    if (depth < 0) return null
  }
  return posixPath.resolve(whole)
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

const stem = (name: string) => name.replace(/\.[^.]*$/, '').toLowerCase()

/** The most similar name in a folder. */
function nearest(name: string, folder: ReadonlyMap<string, unknown>): string | null {
  let best: { readonly name: string; readonly far: number } | null = null
  for (const other of [...folder.keys()].slice(0, 1_000)) {
    const far = distance(stem(name).slice(0, 60), stem(other).slice(0, 60))
    if (far <= Math.max(1, stem(name).length / 3) && (best === null || far < best.far)) best = { name: other, far }
  }
  return best?.name ?? null
}

function resolveFile(path: string, list: ListFolder): ResolvedModule {
  const [parent, name] = [posixPath.dirname(path), posixPath.basename(path)]
  const folder = list(parent)
  const inside = (child: string) => (parent === '/' ? `/${child}` : `${parent}/${child}`)
  if (folder !== null && name !== '') {
    if (folder.get(name) === 'file') return { kind: 'file', path }
    const extension = posixPath.extname(name)
    const bare = extension === '' ? name : name.slice(0, -extension.length)
    const names = [...(writtenAs[extension] ?? []).map((each) => bare + each), ...guessed.map((each) => name + each)]
    const found = names.find((each) => folder.get(each) === 'file')
    if (found !== undefined) return { kind: 'file', path: inside(found) }
  }
  if (name === '' || folder?.get(name) === 'directory') {
    const within = list(path)
    const index = guessed.map((each) => `index${each}`).find((each) => within?.get(each) === 'file')
    if (index !== undefined) return { kind: 'file', path: path === '/' ? `/${index}` : `${path}/${index}` }
    return failed(`${path} is a folder without an index file`)
  }
  if (folder === null) return failed(`There is no folder ${parent}, so no file ${path}`)
  const near = nearest(name, folder)
  return failed(`There is no file ${path}`, near === null ? '' : `Nearest: ${inside(near)}.`)
}

/**
 * Resolves an import specifier from a file in `folder`: a file of the chat by path (extensions and index files are
 * guessed as bundlers do), or a package by name. A failure's message is a clause without a full stop, its hint a
 * sentence.
 */
export function resolveSpecifier(specifier: string, folder: string, list: ListFolder): ResolvedModule {
  const given = specifier.replace(/^file:\/\//, '')
  if (/^[a-z][a-z0-9+.-]*:/i.test(given) && !given.startsWith('node:'))
    return failed(`${given.slice(0, 200)} can’t be loaded: there is no network here`)
  if (!/^(?:\/|\.\.?(?:\/|$))/.test(given)) return { kind: 'package', name: given }
  const path = pathOf(decoded(given), folder)
  if (path === null) return failed(`${given.slice(0, 200)} leads out of this chat’s files`)
  return resolveFile(path, list)
}

function decoded(path: string): string {
  try {
    return path.includes('%') ? decodeURIComponent(path) : path
  } catch {
    return path
  }
}

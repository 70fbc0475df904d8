// Node's `path` for code that imports it: the posix half. Relative paths count from `/`, until somebody says otherwise.

let workingFolder = () => '/'

/** Where relative paths count from, asked each time. */
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

/** Where the last name of a path begins and ends: slashes at the end do not count. */
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
  // Node keeps slashes in a row, all but the last one.
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

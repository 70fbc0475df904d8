/*
 * Glob patterns as in Node's `fs.glob`: `*` and `?` within a name, `**` across folders, `{a,b}`, `[a-z]`. Names that
 * begin with a dot match only patterns with an explicit dot.
 */

/** Expands `a.{js,ts}` into separate patterns. */
function withoutBraces(pattern: string): readonly string[] {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern)
  if (found === null) return [pattern]
  const [whole, inner = ''] = found
  const [head, tail] = [pattern.slice(0, found.index), pattern.slice(found.index + whole.length)]
  return inner.split(',').flatMap((each) => withoutBraces(head + each + tail))
}

function segmentMatcher(segment: string): (name: string) => boolean {
  if (!/[*?[\]\\]/.test(segment)) return (name) => name === segment
  const source = segment.replace(
    /\\(.)|\*+|\?|\[(!|\^)?([^\]]*)\]|[.+^$(){}|]/g,
    (part, escaped?: string, not?: string, set?: string) => {
      if (escaped !== undefined) return escaped.replace(/\W/, '\\$&')
      if (part.startsWith('*')) return '[^/]*?'
      if (part === '?') return '[^/]'
      if (set !== undefined) return `[${not === undefined ? '' : '^'}${set.replaceAll('\\', '\\\\')}]`
      return `\\${part}`
    },
  )
  const pattern = new RegExp(`^${segment.startsWith('.') ? '' : '(?!\\.)'}${source}$`, 's')
  return (name) => pattern.test(name)
}

type Segment = '**' | ((name: string) => boolean)

function compile(pattern: string): readonly (readonly Segment[])[] {
  return withoutBraces(pattern).map((each) =>
    each
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .map((part) => (part === '**' ? '**' : segmentMatcher(part))),
  )
}

function matches(segments: readonly Segment[], names: readonly string[]): boolean {
  const [first, ...rest] = segments
  if (first === undefined) return names.length === 0
  if (first === '**') {
    for (let at = 0; at <= names.length; at++) {
      if (matches(rest, names.slice(at))) return true
      if (names[at]?.startsWith('.') === true) return false
    }
    return false
  }
  const [name, ...others] = names
  return name !== undefined && first(name) && matches(rest, others)
}

export function matchesGlob(path: string, pattern: string): boolean {
  const names = path.split('/').filter((part) => part !== '')
  return compile(pattern).some((segments) => matches(segments, names))
}

/** Whether something below a folder may match; otherwise the folder is skipped. */
function mayHold(segments: readonly Segment[], names: readonly string[]): boolean {
  for (const [at, name] of names.entries()) {
    const segment = segments[at]
    if (segment === undefined) return false
    if (segment === '**') return true
    if (!segment(name)) return false
  }
  return segments.length > names.length
}

export interface GlobEntry {
  readonly name: string
  readonly isFolder: boolean
}

export interface GlobOptions {
  /** Lists a folder, by its path relative to the start of the search; '' is the start. */
  readonly list: (folder: string) => readonly GlobEntry[]
  /** Excluded, with everything below. */
  readonly isExcluded: (path: string, entry: GlobEntry) => boolean
}

/**
 * Paths relative to the start of the search that match one of the patterns, each once; a folder before its contents.
 */
export function* globPaths(
  patterns: readonly string[],
  { list, isExcluded }: GlobOptions,
): Generator<{ readonly path: string; readonly entry: GlobEntry }> {
  const compiled = patterns.flatMap((pattern) => {
    const isFoldersOnly = pattern.endsWith('/')
    return compile(pattern).map((segments) => ({ segments, isFoldersOnly }))
  })
  if (compiled.some(({ segments }) => segments.length > 0 && segments.every((each) => each === '**')))
    yield { path: '.', entry: { name: '.', isFolder: true } }
  const folders: string[][] = [[]]
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of list(folder.join('/'))) {
      const names = [...folder, entry.name]
      const path = names.join('/')
      if (isExcluded(path, entry)) continue
      if (
        compiled.some(({ segments, isFoldersOnly }) => (entry.isFolder || !isFoldersOnly) && matches(segments, names))
      )
        yield { path, entry }
      if (entry.isFolder && compiled.some(({ segments }) => mayHold(segments, names))) folders.push(names)
    }
  }
}

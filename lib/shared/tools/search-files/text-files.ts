import { documentFormatOf, documentFormatOfName } from '@/lib/base/text/document-formats'
import type { DocumentUnit } from '@/lib/sandbox/document'
import type { LineMatch } from '../search-worker-port'
import { monotonicClock } from '@/lib/base/clocks'
import { decodeText } from '@/lib/base/text/text-encoding'
import { isInside } from '@/lib/vfs/path'
import type { ReadableVfs, VfsEntry } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { ToolContext } from '../tool'
import type { FileToSearch, LeftOut, SearchedFile, SearchLimits } from './searched-files'

/*
 * Documents among the files of a search: the searchers get each page as a separate text, under a path that says which
 * page of which file it is. No file's path can be like that.
 */

const separator = '\0'

const pagePath = (path: string, unit: DocumentUnit, number: number): string => [path, unit, number].join(separator)

/** The path of the file that a page belongs to. */
export const fileOf = (path: string): string => path.split(separator)[0] ?? path

/** A match as the model gets it: in a document it names the page instead of a line, in a sheet also the row. */
export function placedMatch({ path, line, text }: LineMatch): Readonly<Record<string, string | number>> {
  const [file = path, unit, number] = path.split(separator)
  if (unit === undefined) return { path, line, text }
  return { path: file, [unit]: Number(number), ...(unit === 'sheet' && { row: line }), text }
}

/**
 * The documents that a search reads by itself: of this size, this many, within this time. Others count if they were
 * read before.
 */
const cheap = { bytes: 5_000_000, documents: 20, ms: 8_000 }

export interface DocumentPages {
  /** Null: the file is no document, or can't be read as one now; `left` says so. */
  of(file: SearchedFile, nth: number): Promise<readonly FileToSearch[] | null>
}

export const isDocumentName = (path: string): boolean => documentFormatOfName(path) !== null

/** Pages of documents for one search. `monotonic` in milliseconds. */
export function documentPages(
  { documents, vfs, signal }: Pick<ToolContext<'read'>, 'documents' | 'vfs' | 'signal'>,
  left: LeftOut,
  monotonic: () => number,
): DocumentPages {
  const since = monotonic()
  let opened = 0
  const mayRead = (size: number) => size <= cheap.bytes && opened < cheap.documents && monotonic() - since < cheap.ms

  async function textOf({ path, size, version }: SearchedFile) {
    const before = documents?.known(version)
    if (before) return before
    if (!documents || !mayRead(size)) return null
    const read = await vfs.read(path)
    const format = read.ok ? documentFormatOf(path, read.value) : null
    if (!read.ok || format === null) return null
    opened += 1
    const text = await documents.read({ format, version, data: async () => read.value }, signal)
    return text.ok ? text.value : null
  }

  return {
    async of(file, nth) {
      const text = await textOf(file)
      if (text === null) {
        left.documents.push(file.path)
        return null
      }
      const encoder = new TextEncoder()
      return text.parts.map((part, index) => ({
        path: pagePath(file.path, text.unit, index + 1),
        data: encoder.encode(part.text),
        nth,
      }))
    },
  }
}

// File name patterns, as in shells and editors, without a regular expression, so that no pattern is slow:
//
//   *.md           names at any depth      src/**/*.ts    paths below the folder that is searched
//   /notes/*.md    paths from the root     {a,b}, ?, [a-z] and [!x] as usual; ** is any number of folders
//
// Case does not count. `*` and `?` stay within a name.

type PathMatcher = (path: string) => boolean

const maxAlternatives = 64

/** `a{b,c}d` → `abd`, `acd`, also nested; more than 64 alternatives stay unexpanded. */
function expandBraces(pattern: string): readonly string[] {
  let open = [pattern]
  for (let rounds = 0; rounds < maxAlternatives; rounds++) {
    const next = open.flatMap((one) => {
      // The innermost braces: none of their alternatives contains another one.
      const found = /\{([^{}]*,[^{}]*)\}/.exec(one)
      if (found === null) return [one]
      const [whole, inner = ''] = found
      const before = one.slice(0, found.index)
      return inner.split(',').map((part) => before + part + one.slice(found.index + whole.length))
    })
    if (next.length === open.length && next.every((one, at) => one === open[at])) return open
    if (next.length > maxAlternatives) return open
    open = next
  }
  return open
}

/** The element for one character at `at` of a pattern, and where the pattern continues. */
function characterAt(
  pattern: string,
  at: number,
): { readonly fits: (character: string) => boolean; readonly end: number } {
  const own = pattern[at] ?? ''
  if (own === '?') return { fits: () => true, end: at + 1 }
  const close = own === '[' ? pattern.indexOf(']', at + 2) : -1
  if (close < 0) return { fits: (character) => character === own, end: at + 1 }
  const set = pattern.slice(at + 1, close)
  const not = /^[!^]/.test(set)
  const members = not ? set.slice(1) : set
  const holds = (character: string) => {
    for (let i = 0; i < members.length; i++) {
      const [from = '', dash, to = ''] = [members[i], members[i + 1], members[i + 2]]
      if (dash === '-' && to !== '') {
        if (from <= character && character <= to) return true
        i += 2
      } else if (from === character) return true
    }
    return false
  }
  return { fits: (character) => holds(character) !== not, end: close + 1 }
}

/** One name against one part of a pattern: the last `*` takes one more character whenever the rest does not fit. */
function nameFits(name: string, pattern: string): boolean {
  let [at, to] = [0, 0]
  let star: { readonly after: number; taken: number } | null = null
  while (at < name.length) {
    if (pattern[to] === '*') {
      star = { after: ++to, taken: at }
      continue
    }
    const one = to < pattern.length ? characterAt(pattern, to) : null
    if (one?.fits(name[at] ?? '') === true) {
      at += 1
      to = one.end
    } else if (star !== null) {
      star.taken += 1
      at = star.taken
      to = star.after
    } else return false
  }
  while (pattern[to] === '*') to += 1
  return to === pattern.length
}

/** Names of a path against parts of a pattern, where `**` matches any number of names; the same walk as above. */
function partsFit(names: readonly string[], parts: readonly string[]): boolean {
  let [at, to] = [0, 0]
  let star: { readonly after: number; taken: number } | null = null
  while (at < names.length) {
    const part = parts[to]
    if (part === '**') {
      star = { after: ++to, taken: at }
    } else if (part !== undefined && nameFits(names[at] ?? '', part)) {
      at += 1
      to += 1
    } else if (star !== null) {
      star.taken += 1
      at = star.taken
      to = star.after
    } else return false
  }
  while (parts[to] === '**') to += 1
  return to === parts.length
}

const namesOf = (path: string) => path.split('/').filter((name) => name !== '')

/** Says whether a file matches: `path` is absolute and normalized, and is in `folder`. */
export function globMatcher(glob: string, folder: string): PathMatcher {
  const patterns = expandBraces(glob.trim().normalize('NFC').toLowerCase()).map((pattern) => {
    const rooted = pattern.startsWith('/')
    const parts = namesOf(pattern)
    // A pattern of one name is searched in every folder.
    return { rooted, parts: rooted || pattern.includes('/') ? parts : ['**', ...parts] }
  })
  const depth = namesOf(folder).length
  return (path) => {
    const names = namesOf(path.toLowerCase())
    return patterns.some(({ rooted, parts }) => partsFit(rooted ? names : names.slice(depth), parts))
  }
}

/** Results that were too large to send, stored by the executor: noise, unless they are requested. */
const ownFolder = '/.nod'

export interface SearchLocation {
  /** Normalized. */
  readonly folder: string
  readonly entry: VfsEntry
  readonly matches: PathMatcher
}

const depthOf = (path: string) => path.split('/').length

/** The included files at one moment: those higher up first, else in the order of the tree. */
export async function includedFiles(
  { folder, entry, matches }: SearchLocation,
  vfs: ReadableVfs,
): Promise<VfsResult<readonly SearchedFile[]>> {
  if (entry.kind === 'file') return { ok: true, value: [{ path: folder, size: entry.size, version: entry.version }] }
  const tree = await vfs.tree(folder)
  if (!tree.ok) return tree
  const isHidden = (path: string) => isInside(path, ownFolder) && !isInside(folder, ownFolder)
  const files = tree.value
    .filter(({ kind, path }) => kind === 'file' && matches(path) && !isHidden(path))
    .map(({ path, size, version }) => ({ path, size, version, depth: depthOf(path) }))
    .toSorted((a, b) => a.depth - b.depth)
  return { ok: true, value: files.map(({ path, size, version }) => ({ path, size, version })) }
}

/**
 * The bytes of each file that can be searched, up to `totalBytes`; `left.files` counts everything that was reached. A
 * file that disappears is skipped. Ends early when `signal` aborts.
 */
export async function* filesToSearch(
  files: readonly SearchedFile[],
  { vfs, signal, documents }: Pick<ToolContext<'read'>, 'vfs' | 'signal' | 'documents'>,
  limits: SearchLimits,
  totalBytes: number,
  left: LeftOut,
): AsyncGenerator<FileToSearch> {
  let bytes = 0
  const pages = documentPages({ vfs, signal, ...(documents && { documents }) }, left, monotonicClock)
  for (const { path, size, version } of files) {
    if (signal.aborted) return
    if (left.files >= limits.files) {
      left.stoppedAtFiles = true
      return
    }
    left.files += 1
    if (documents && isDocumentName(path)) {
      for (const page of (await pages.of({ path, size, version }, left.files)) ?? []) {
        bytes += page.data.byteLength
        if (bytes > totalBytes) break
        yield page
      }
      continue
    }
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

/** The text of each text file. */
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

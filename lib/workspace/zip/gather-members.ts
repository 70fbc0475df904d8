import { t } from '@/lib/i18n/t'
import type { Entry, FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js'
import { memberName, shownName } from './member-name'

export interface SkippedMember {
  /** Safe to show. */
  readonly name: string
  readonly why: string
}

interface Gathered {
  readonly members: readonly { readonly path: string; readonly entry: FileEntry }[]
  /** Folders that have an entry of their own, as `a/b`. */
  readonly folders: readonly string[]
  /** Folders that would come to be, named or not. */
  readonly allFolders: number
  readonly skipped: readonly SkippedMember[]
  /** A sentence for the whole zip, or null. */
  readonly refusal: string | null
}

const stored = 0
const deflated = 8

/** Which of a zip's entries are unpacked, and where to; judged by their headers alone. */
export function gatherMembers(entries: readonly Entry[]): Gathered {
  const members: { path: string; entry: FileEntry }[] = []
  const files = new Set<string>()
  const folders = new Set<string>()
  const named = new Set<string>()
  const skipped: SkippedMember[] = []
  const giveUp = (refusal: string): Gathered => ({
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
    if (entry.encrypted) return giveUp(t('zip.member-locked', { name: shownName(path) }))
    if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
      return giveUp(t('zip.unknown-method', { name: shownName(path), method: entry.compressionMethod }))
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

/** A name that says it is UTF-8 has to be; zip.js puts replacement characters where it is not. */
function isReadable({ bitFlag, rawFilename }: Entry): boolean {
  if (bitFlag?.languageEncodingFlag !== true) return true
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(rawFilename)
    return true
  } catch {
    return false
  }
}

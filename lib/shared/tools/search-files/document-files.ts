import { documentFormatOf, documentFormatOfName } from '@/lib/base/text/document-formats'
import type { DocumentUnit } from '@/lib/sandbox/document'
import type { LineMatch } from '../search-worker-port'
import type { ToolContext } from '../tool'
import type { FileToSearch, LeftOut, MeantFile } from './searched-files'

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
  of(file: MeantFile, nth: number): Promise<readonly FileToSearch[] | null>
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

  async function textOf({ path, size, version }: MeantFile) {
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

import { makeModelMessage, type Told } from '@/lib/i18n/t'
import { english, formatBytes } from '@/lib/base/text/locale'
import { normalizePath } from '@/lib/vfs/path'
import { refuse, failWith } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'
import { fileOf, placedMatch, filesToSearch, meantFiles, textsOf, globMatcher } from './text-files'
import { flawOfPattern, linesWithPattern } from './pattern-run'
import { nothingLeftOut, type LeftOut, searchLimits as limits } from './searched-files'
import { linesWithText } from './text-search'

export interface SearchArguments {
  readonly query: string
  readonly folder?: string | undefined
  readonly glob?: string | undefined
  readonly regex?: boolean | undefined
  readonly max_results?: number | undefined
}

/** What the search left out, in sentences. */
function notesOn(left: LeftOut, totalBytes: number): readonly string[] {
  const [large] = left.large
  return [
    ...(left.binary > 0
      ? [`${english.counted(left.binary, { one: 'file is', other: 'files are' })} not text and not searched.`]
      : []),
    ...(large === undefined
      ? []
      : [
          `${english.counted(left.large.length, { one: 'file', other: 'files' })} over ${formatBytes(limits.fileBytes)} not searched, such as ${large}.`,
        ]),
    ...(left.documents.length > 0
      ? [
          `${english.counted(left.documents.length, { one: 'document', other: 'documents' })} not searched: read ${left.documents.length === 1 ? 'it' : 'one'} with read_file first, such as ${left.documents[0] ?? ''}.`,
        ]
      : []),
    ...(left.stoppedAtBytes
      ? [`Stopped after ${formatBytes(totalBytes)} of text; name a folder or a glob for the rest.`]
      : []),
    ...(left.stoppedAtFiles ? [`Stopped after ${limits.files} files; name a folder for the rest.`] : []),
  ]
}

const withNote = (notes: readonly string[]) => (notes.length === 0 ? {} : { note: notes.join(' ') })

/** Why a query can't be searched for; null if it can. */
function flawOf(query: string, glob: string | undefined, regex: boolean): Told | null {
  if (query === '') return glob === undefined ? makeModelMessage('told.query-empty') : null
  if (query.length > limits.queryCharacters) {
    return makeModelMessage('told.query-long', { most: limits.queryCharacters })
  }
  if (/[\r\n]/.test(query)) return makeModelMessage('told.query-break')
  return regex ? flawOfPattern(query) : null
}

/** Separate from the definition, so that a page which only shows the call does not load the search. */
export async function runSearch(
  { query, folder = '/', glob, regex = false, max_results: most = limits.results.standard }: SearchArguments,
  context: ToolContext<'read'>,
): Promise<ToolOutcome> {
  const { vfs, signal } = context
  const flaw = flawOf(query, glob, regex)
  if (flaw !== null) return refuse('EINVAL', flaw)
  const normal = normalizePath(folder)
  if (!normal.ok) return failWith(normal.error, vfs, 'folder')
  const stat = await vfs.stat(normal.value)
  if (!stat.ok) return failWith(stat.error, vfs, 'folder')
  const matches = glob === undefined || glob === '' ? () => true : globMatcher(glob, normal.value)
  const meant = await meantFiles({ folder: normal.value, entry: stat.value, matches }, vfs)
  if (signal.aborted) return stopped()
  if (!meant.ok) return failWith(meant.error, vfs, 'folder')

  if (query === '') {
    const cut = meant.value.length > most ? [`Cut at ${most} files; there are more.`] : []
    return {
      ok: true,
      result: { files: meant.value.slice(0, most).map(({ path, size }) => ({ path, size })), ...withNote(cut) },
    }
  }

  const left = nothingLeftOut()
  const totalBytes = limits.totalBytes[regex ? 'pattern' : 'text']
  const files = filesToSearch(meant.value, context, limits, totalBytes, left)
  // One more than wanted is searched for, to know whether there are more.
  const { found, cutLines, failure } = regex
    ? await linesWithPattern(textsOf(files, left), query, most + 1, limits, context)
    : { ...(await linesWithText(files, query, most + 1, limits, context, left)), cutLines: 0 }
  if (signal.aborted || failure?.reason === 'stopped') return stopped()
  const notes = [
    ...(found.length > most
      ? [`Cut at ${most} matches; there are more. Narrow it down by folder, glob or query.`]
      : []),
    ...(cutLines > 0
      ? [
          `${english.counted(cutLines, { one: 'line is', other: 'lines are' })} long: the pattern saw the first ${limits.patternLineCharacters} characters.`,
        ]
      : []),
    ...notesOn(left, totalBytes),
  ]
  const shown = { matches: found.slice(0, most).map(placedMatch), searchedFiles: left.files }
  if (failure === null) return { ok: true, result: { ...shown, ...withNote(notes) } }
  const counts = [
    failure.refusal,
    ...(failure.from === null ? [] : [makeModelMessage('told.search-from', { from: fileOf(failure.from) })]),
    makeModelMessage(regex ? 'told.search-simpler' : 'told.search-narrower'),
  ]
  return refuse(failure.reason, counts, { ...shown, ...withNote(notes) })
}

const stopped = (): ToolOutcome => refuse('stopped', makeModelMessage('told.search-stopped'))

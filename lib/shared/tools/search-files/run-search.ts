import { english, formatBytes } from '@/lib/base/text/locale'
import { normalizePath } from '@/lib/vfs/path'
import { refuse, failWith } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'
import { fileOf, placedMatch, filesToSearch, includedFiles, textsOf, globMatcher } from './text-files'
import { flawOfPattern, linesWithPattern, type SearchFailure } from './pattern-run'
import { nothingLeftOut, type LeftOut, searchLimits as limits, type FileToSearch } from './searched-files'
import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import type { LineMatch, SearchReply, SearchRequest, SearchWorkerPort } from '../search-worker-port'
import { searchBatch } from './search-batch'

/*
 * The lines with a text, searched in the app's own worker: tens of megabytes would block the page. Files are sent in
 * batches, their bytes without a copy, and the next batch is read while one is searched.
 *
 * A worker that does not start, or fails, ends the search with a sentence. The page does not take over: the files have
 * a worker too, so if none can start there is nothing to read, and what crashed a worker must not reach the page.
 */

interface Searcher {
  /** Never rejects; the sentence says why there is no reply. */
  search(request: SearchRequest): Promise<Result<SearchReply, ModelMessage>>
  end(): void
}

const onThePage: Searcher = { search: async (request) => ok(searchBatch(request)), end: () => {} }

/** Bytes that can be transferred without taking others with them. */
const alone = (data: Uint8Array) => (data.byteLength === data.buffer.byteLength ? data : data.slice())

function inWorker(start: () => SearchWorkerPort): Searcher {
  let worker: SearchWorkerPort | null = null
  let broken: ModelMessage | null = null
  let answer: ((reply: Result<SearchReply, ModelMessage>) => void) | null = null
  const breakWith = (refusal: ModelMessage) => {
    broken ??= refusal
    answer?.(err(broken))
  }
  try {
    worker = start()
    worker.onmessage = ({ data }) => answer?.(ok(data))
    // Also if its script can't be loaded, maybe before any request.
    worker.onerror = (event) => {
      event.preventDefault?.()
      breakWith(makeModelMessage('told.searcher-stopped', { why: event.message ?? '' }))
    }
  } catch (thrown) {
    breakWith(makeModelMessage('told.searcher-not-started', { why: String(thrown) }))
  }
  return {
    search: (request) =>
      new Promise((resolve) => {
        answer = resolve
        if (broken !== null) return resolve(err(broken))
        const files = request.files.map(({ path, data }) => ({ path, data: alone(data) }))
        try {
          worker?.postMessage(
            { ...request, files },
            files.flatMap(({ data: { buffer } }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
          )
        } catch (thrown) {
          breakWith(makeModelMessage('told.searcher-not-reached', { why: String(thrown) }))
        }
      }),
    end: () => worker?.terminate(),
  }
}

export interface TextSearch {
  readonly found: readonly LineMatch[]
  /** Set: the search ended there, with the matches until then. */
  readonly failure: SearchFailure | null
}

/**
 * Lines that contain a text, in any case; at most `most`. `left` then counts what was searched, not what was read
 * ahead. A stop, or most of the call's time used up, ends the worker in the middle of its work.
 */
async function linesWithText(
  files: AsyncIterator<FileToSearch>,
  query: string,
  most: number,
  { startSearchWorker, signal, timeoutMs }: Pick<ToolContext<'read'>, 'startSearchWorker' | 'signal' | 'timeoutMs'>,
  left: LeftOut,
): Promise<TextSearch> {
  const found: LineMatch[] = []
  let from: string | null = null
  let isOver = false

  async function nextBatch(): Promise<readonly FileToSearch[]> {
    const batch: FileToSearch[] = []
    for (let bytes = 0; bytes < limits.batch.bytes && batch.length < limits.batch.files;) {
      if (isOver) break
      const next = await files.next()
      if (next.done === true) break
      batch.push(next.value)
      bytes += next.value.data.byteLength
    }
    return batch
  }

  async function searchAll(searcher: Searcher): Promise<SearchFailure | null> {
    let reading = nextBatch()
    for (let batch = await reading; batch.length > 0 && !isOver; batch = await reading) {
      from = batch[0]?.path ?? null
      const excerptCharacters = limits.excerptCharacters
      const searching = searcher.search({ query, most: most - found.length, excerptCharacters, files: batch })
      reading = nextBatch()
      // It is awaited below, unless the search ends first.
      reading.catch(() => {})
      const reply = await searching
      // A late reply is no longer in the result.
      if (isOver) return null
      if (!reply.ok) return { reason: 'unavailable', refusal: reply.error, from }
      found.push(...reply.value.found)
      left.binary += reply.value.binary
      if (found.length < most) continue
      isOver = true
      await reading
      left.files = batch[reply.value.searched - 1]?.nth ?? left.files
      left.stoppedAtFiles = left.stoppedAtBytes = false
      return null
    }
    return null
  }

  const { promise: ended, resolve } = Promise.withResolvers<SearchFailure>()
  const end = (reason: SearchFailure['reason'], refusal: ModelMessage) => {
    isOver = true
    resolve({ reason, refusal, from })
  }
  const onAbort = () => end('stopped', makeModelMessage('told.search-stopped'))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  // The executor would end the call at its own limit, and the matches would be lost.
  const timer = setTimeout(() => end('timed-out', makeModelMessage('told.search-late')), timeoutMs * 0.8)
  const searcher = startSearchWorker === undefined ? onThePage : inWorker(startSearchWorker)
  try {
    const failure = await Promise.race([ended, searchAll(searcher)])
    return { found, failure }
  } finally {
    isOver = true
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    searcher.end()
  }
}

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

/** Why a query can't be searched for; null if it can be. */
function flawOf(query: string, glob: string | undefined, regex: boolean): ModelMessage | null {
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
  const meant = await includedFiles({ folder: normal.value, entry: stat.value, matches }, vfs)
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
    : { ...(await linesWithText(files, query, most + 1, context, left)), cutLines: 0 }
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

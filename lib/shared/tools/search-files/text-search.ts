import { makeModelMessage, type Told } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import type { LineMatch, SearchReply, SearchRequest, SearchWorkerPort } from '../search-worker-port'
import type { ToolContext } from '../tool'
import { searchBatch } from './search-batch'
import type { SearchFailure } from './pattern-run'
import type { FileToSearch, LeftOut, SearchLimits } from './searched-files'

/*
 * The lines with a text, searched in the app's own worker: tens of megabytes would block the page. Files are sent in
 * batches, their bytes without a copy, and the next batch is read while one is searched.
 *
 * A worker that does not start, or fails, ends the search with a sentence. The page does not take over: the files have
 * a worker too, so if none can start there is nothing to read, and what crashed a worker must not reach the page.
 */

interface Searcher {
  /** Never rejects; the sentence says why there is no reply. */
  search(request: SearchRequest): Promise<Result<SearchReply, Told>>
  end(): void
}

const onThePage: Searcher = { search: async (request) => ok(searchBatch(request)), end: () => {} }

/** Bytes that can be transferred without taking others with them. */
const alone = (data: Uint8Array) => (data.byteLength === data.buffer.byteLength ? data : data.slice())

function inWorker(start: () => SearchWorkerPort): Searcher {
  let worker: SearchWorkerPort | null = null
  let broken: Told | null = null
  let answer: ((reply: Result<SearchReply, Told>) => void) | null = null
  const breakWith = (refusal: Told) => {
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
export async function linesWithText(
  files: AsyncIterator<FileToSearch>,
  query: string,
  most: number,
  limits: SearchLimits,
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
  const end = (reason: SearchFailure['reason'], refusal: Told) => {
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

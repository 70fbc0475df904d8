import type { MonotonicClock } from '@/lib/base/clocks'
import { isCheap } from './cost'
import { readMarkdown, type MarkdownRoot } from './read-markdown'
import { soleFence } from './sole-fence'

/*
 * Reads Markdown without stopping the page. What is tame is read at once, as long as the frame has time for it; the rest
 * is read in a worker, one text at a time, and given up when that takes too long. What was read is remembered.
 */

/** A tree; null where the text shows as written; 'later' where a worker has to read it. */
export type MarkdownReading = MarkdownRoot | null | 'later'

export interface MarkdownReader {
  readonly read: (text: string) => MarkdownReading
  /** As `read`, but by the text alone and not by the time there is: what a server draws and a browser takes over has to be the same. */
  readonly readAlike: (text: string) => MarkdownReading
  /** For what is read later. `onRead` is called once, unless the returned function was called before. */
  readonly ask: (text: string, onRead: (root: MarkdownRoot | null) => void) => () => void
}

export interface MarkdownWorkerPort {
  readonly postMessage: (text: string) => void
  readonly terminate: () => void
  onmessage: ((event: { readonly data: MarkdownRoot | null }) => void) | null
  onerror: ((event: unknown) => void) | null
}

export interface MarkdownReaderPorts {
  /** Milliseconds, for how long the page was kept waiting. */
  readonly monotonic: MonotonicClock
  /** Null where there are no workers. */
  readonly spawn: () => MarkdownWorkerPort | null
  /** Runs the task after some time; the returned function prevents it. */
  readonly schedule: (task: () => void, ms: number) => () => void
}

/** What reading may take of the page in each `windowMs`. */
const shareMs = 25
const windowMs = 100
/** A text that takes a worker longer shows as written. */
const deadlineMs = 8_000
/** Longer texts show as written: their tree alone would keep the page. */
const maxLength = 300_000
/** Of texts that are remembered, in characters. */
const maxKept = 2_000_000

interface Job {
  readonly text: string
  readonly onRead: (root: MarkdownRoot | null) => void
}

export function createMarkdownReader({ monotonic, spawn, schedule }: MarkdownReaderPorts): MarkdownReader {
  const known = new Map<string, MarkdownRoot | null>()
  let kept = 0
  let window = { begun: Number.NEGATIVE_INFINITY, spent: 0 }
  let worker: MarkdownWorkerPort | null = null
  let jobs: readonly Job[] = []
  let running: string | null = null

  const remember = (text: string, root: MarkdownRoot | null): void => {
    if (!known.has(text)) kept += text.length
    known.set(text, root)
    for (const [oldest] of known) {
      if (kept <= maxKept) break
      known.delete(oldest)
      kept -= oldest.length
    }
  }

  const readNow = (text: string): MarkdownRoot | null => {
    const begun = monotonic()
    const root = readMarkdown(text)
    window.spent += monotonic() - begun
    remember(text, root)
    return root
  }

  const settle = (text: string, root: MarkdownRoot | null): void => {
    running = null
    const mine = jobs.filter((job) => job.text === text)
    jobs = jobs.filter((job) => job.text !== text)
    for (const { onRead } of mine) onRead(root)
    next()
  }

  const stopWorker = (): void => {
    worker?.terminate()
    worker = null
  }

  const next = (): void => {
    const [job] = jobs
    if (!job || running !== null) return
    const { text } = job
    worker ??= spawn()
    // Without workers what is tame waits for nobody, and the rest stays as written.
    if (!worker) return settle(text, isCheap(text) ? readNow(text) : null)
    running = text
    const late = schedule(() => {
      stopWorker()
      remember(text, null)
      settle(text, null)
    }, deadlineMs)
    worker.onmessage = ({ data }) => {
      late()
      remember(text, data)
      settle(text, data)
    }
    worker.onerror = () => {
      // It did not load, or broke: the text stays as written, and the next one asks for another worker.
      late()
      stopWorker()
      settle(text, null)
    }
    worker.postMessage(text)
  }

  /** What every reader says of the text, whatever it read before. */
  const readAlike = (text: string): MarkdownReading => {
    if (soleFence(text)) return readMarkdown(text)
    if (text.length > maxLength) return null
    return isCheap(text) ? (known.get(text) ?? readNow(text)) : 'later'
  }

  return {
    readAlike,
    read(text) {
      const before = known.get(text)
      if (before !== undefined) return before
      if (monotonic() - window.begun > windowMs) window = { begun: monotonic(), spent: 0 }
      // What costs next to nothing, or is never read, waits for no time.
      return soleFence(text) || text.length > maxLength || window.spent < shareMs ? readAlike(text) : 'later'
    },
    ask(text, onRead) {
      const job = { text, onRead }
      jobs = [...jobs, job]
      next()
      return () => {
        jobs = jobs.filter((one) => one !== job)
      }
    },
  }
}

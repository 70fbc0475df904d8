'use client'

import { type MonotonicClock, monotonicClock } from '@/lib/base/clocks'
import { readMarkdown, type MarkdownRoot, soleFence } from './read-markdown'
import { builtFile } from '@/lib/base/base-path'
import { useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/ui/page/lazy-part'

/*
 * Estimates the cost of parsing a text from a quick look, without timing, so that the same text has the same cost
 * everywhere. One unit is at most 1 µs of a laptop's CPU, mostly a tenth of it. The parser is linear in characters and
 * lines, with three exceptions, each covered by a term: every line visits all nested containers again; each possible
 * opening or closing mark (brackets, stars, backticks, `<`, `&` …) is matched with all before it; each row of a table
 * has all its columns.
 */

const perCharacter = 3
const perLine = 90
/** For each level of nesting, once per line. */
const perLevel = 60
/** Deeper than anyone writes; the parser is recursive. */
const maxLevels = 24

const opener = /[*_~`[\]()!<&\\$:@|]/g
const container = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/
const marks = />|[-*+]|\d+[.)]/g

/** Stops counting once the cost exceeds `limit`; the result is then only known to be more than `limit`. */
function readingCost(text: string, limit: number): number {
  // A text this long is too expensive anyway.
  if (text.length * perCharacter > limit) return limit + 1
  let cost = text.length * perCharacter
  let deepest = 0
  const openers = text.match(opener)?.length ?? 0
  // In the worst case, each is matched with half of the others.
  cost += openers * 4 + (openers * openers) / 12
  for (const line of text.split('\n')) {
    const levels = container.exec(line)?.[0].match(marks)?.length ?? 0
    if (levels > maxLevels) return limit + 1
    // The indent gives the depth; a line without one continues the deepest container.
    deepest = Math.max(deepest, levels)
    const indent = line.length - line.trimStart().length
    cost += perLine + Math.max(deepest, indent / 2) * perLevel
    if (cost > limit) return limit + 1
  }
  return cost
}

/** The most that is parsed on the main thread: a third of the 100 ms in which a page should respond. */
export const boundedCost = 40_000

/** Whether the text may be parsed on the main thread. */
export const isCheap = (text: string): boolean => readingCost(text, boundedCost) <= boundedCost

/*
 * Parses Markdown without blocking the page. Cheap text is parsed immediately while the frame has time; the rest is
 * parsed in a worker, one text at a time, and given up if it takes too long. Results are cached.
 */

/** A tree; null if the text is shown as written; 'later' if a worker has to parse it. */
export type MarkdownReading = MarkdownRoot | null | 'later'

export interface MarkdownReader {
  readonly read: (text: string) => MarkdownReading
  /**
   * Like `read`, but depends on the text only, not on the time left, because server rendering and hydration must give
   * the same result.
   */
  readonly readAlike: (text: string) => MarkdownReading
  /** For text that is parsed later. `onRead` is called once, unless the returned function was called before. */
  readonly ask: (text: string, onRead: (root: MarkdownRoot | null) => void) => () => void
}

export interface MarkdownWorkerPort {
  readonly postMessage: (text: string) => void
  readonly terminate: () => void
  onmessage: ((event: { readonly data: MarkdownRoot | null }) => void) | null
  onerror: ((event: unknown) => void) | null
}

export interface MarkdownReaderPorts {
  /** Milliseconds; measures how long the page was blocked. */
  readonly monotonic: MonotonicClock
  /** Null if workers are not supported. */
  readonly spawn: () => MarkdownWorkerPort | null
  /** Runs the task after `ms`; the returned function cancels it. */
  readonly schedule: (task: () => void, ms: number) => () => void
}

/** The most milliseconds of parsing on the main thread in each `windowMs`. */
const shareMs = 25
const windowMs = 100
/** A text that takes a worker longer is shown as written. */
const deadlineMs = 8_000
/** A longer text is shown as written, because its tree alone would block the page. */
const maxLength = 300_000
/** Characters of cached texts. */
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
    const started = monotonic()
    const root = readMarkdown(text)
    window.spent += monotonic() - started
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
    // Without workers, cheap text is parsed here, and the rest is shown as written.
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
      // The worker did not load or crashed: the text is shown as written, and the next one starts another worker.
      late()
      stopWorker()
      settle(text, null)
    }
    worker.postMessage(text)
  }

  /** Independent of the cache and the time left. */
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
      // Text that costs next to nothing, or is never parsed, needs no time budget.
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

/** One for the page, so that the finished reply finds what was cached while it streamed. */
const pageReader = createMarkdownReader({
  monotonic: monotonicClock,
  spawn: () =>
    typeof Worker === 'undefined'
      ? null
      : (new Worker(builtFile('/workers/markdown.js'), { type: 'module' }) as MarkdownWorkerPort),
  schedule(task, ms) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
})

interface Tree {
  /** The tree to render; null for the text as written. */
  readonly root: MarkdownRoot | null
  /** It is being parsed: `root` is the tree of the text's start, if there is one. */
  readonly pending: boolean
}

type OnRead = (text: string, root: MarkdownRoot | null) => void

/**
 * The tree of a growing text. One parse at a time, then the newest text: it grows faster than a worker may parse it,
 * and a parse that is aborted for a longer text would never show.
 */
function createGrowing(reader: MarkdownReader) {
  let newest: { readonly text: string; readonly root: MarkdownRoot | null } = { text: '', root: null }
  let stop: () => void = () => {}
  let busy = false
  let wanted: string | null = null
  const keep = (text: string, root: MarkdownRoot | null) => {
    newest = { text, root }
  }
  const ask = (text: string, onRead: OnRead) => {
    busy = true
    stop = reader.ask(text, (root) => {
      busy = false
      keep(text, root)
      onRead(text, root)
      if (wanted !== null && wanted !== text) ask(wanted, onRead)
    })
  }
  return {
    keep,
    before: (text: string) => (text.startsWith(newest.text) ? newest.root : null),
    /** The rendered tree of this text. */
    drawn: (text: string) => (newest.text === text ? newest.root : null),
    want(text: string | null, onRead: OnRead) {
      wanted = text
      if (text !== null && !busy) ask(text, onRead)
    },
    leave() {
      stop()
      busy = false
    },
  }
}

/** The tree of a text that may grow; null for none. */
export function useTree(text: string | null, reader: MarkdownReader = pageReader): Tree {
  const [growing] = useState(() => createGrowing(reader))
  const [late, setLate] = useState<{ readonly text: string; readonly root: MarkdownRoot | null } | null>(null)
  const isLive = useIsLive()
  const reading = useMemo(
    // Hydration must not render the content again, which would happen to a sole fence, because each parse makes a new
    // tree.
    () => (text === null ? null : (growing.drawn(text) ?? (isLive ? reader.read(text) : reader.readAlike(text)))),
    [reader, text, isLive, growing],
  )
  const wanted = reading === 'later' && late?.text !== text ? text : null
  useEffect(() => growing.want(wanted, (read, root) => setLate({ text: read, root })), [wanted, growing])
  useEffect(() => () => growing.leave(), [growing])
  return useMemo(() => {
    if (text === null) return { root: null, pending: false }
    const root = reading === 'later' ? (late?.text === text ? late.root : undefined) : reading
    if (root === undefined) return { root: growing.before(text), pending: true }
    growing.keep(text, root)
    return { root, pending: false }
  }, [text, reading, late, growing])
}

'use client'

import { type MonotonicClock, monotonicClock } from '@/lib/base/clocks'
import { readMarkdown, type MarkdownRoot, soleFence } from './read-markdown'
import { builtFile } from '@/lib/base/base-path'
import { useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/ui/page/lazy-part'

/*
 * What reading a text may cost, from what is seen at a glance: no timing, so the same text has the same cost everywhere.
 * One unit is at most a microsecond of a laptop’s CPU, mostly a tenth of it. The reader is linear in letters and lines, and knows three ways to be
 * worse, each held by a term: containers that nest are gone through again by each line; what may open or close (brackets,
 * stars, backticks, `<`, `&` …) is matched with all before it; a table has its columns in each row.
 */

const perCharacter = 3
const perLine = 90
/** For each level of nesting, once a line. */
const perLevel = 60
/** Deeper than anyone writes: the reader calls itself for each level. */
const maxLevels = 24

const opener = /[*_~`[\]()!<&\\$:@|]/g
const container = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/
const marks = />|[-*+]|\d+[.)]/g

/** Stops counting where the answer is known: more than `limit` is everything that is said of it. */
function readingCost(text: string, limit: number): number {
  // Nothing else of a text this long matters.
  if (text.length * perCharacter > limit) return limit + 1
  let cost = text.length * perCharacter
  let deepest = 0
  const openers = text.match(opener)?.length ?? 0
  // Each is matched with half of the others, at worst.
  cost += openers * 4 + (openers * openers) / 12
  for (const line of text.split('\n')) {
    const levels = container.exec(line)?.[0].match(marks)?.length ?? 0
    if (levels > maxLevels) return limit + 1
    // What is in is as deep as its indent says; a line that says nothing continues in the deepest.
    deepest = Math.max(deepest, levels)
    const indent = line.length - line.trimStart().length
    cost += perLine + Math.max(deepest, indent / 2) * perLevel
    if (cost > limit) return limit + 1
  }
  return cost
}

/** What is read while the page waits, at most: a third of the 100 ms in which a page answers. */
export const boundedCost = 40_000

/** Text that the reader may be given while the page waits. */
export const isCheap = (text: string): boolean => readingCost(text, boundedCost) <= boundedCost

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
    // Without workers what is tame waits for no one, and the rest stays as written.
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

/** One for the page: what a streaming reply has read is there when the finished one is drawn. */
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
  /** What to draw; null: the text as written. */
  readonly root: MarkdownRoot | null
  /** It is being read: `root` is that of the text's beginning, where there is one. */
  readonly pending: boolean
}

type OnRead = (text: string, root: MarkdownRoot | null) => void

/**
 * What a growing text has been read to. One reading at a time, then the newest text: it grows faster than a worker may
 * read it, and a reading that was given up for a longer one would never show.
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
    /** The tree that was drawn for this text. */
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
    // What stands is not drawn once more when the page takes it over: a sole fence would be, its tree is made at each reading.
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

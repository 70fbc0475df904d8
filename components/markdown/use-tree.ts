'use client'

import { monotonicClock } from '@/lib/base/clocks'
import { builtFile } from '@/lib/base/base-path'
import { useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/ui/page/until-live'
import type { MarkdownRoot } from './read-markdown'
import { createMarkdownReader, type MarkdownReader, type MarkdownWorkerPort } from './reader'

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

export interface Tree {
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

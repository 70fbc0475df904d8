'use client'

import { useEffect, useMemo, useState } from 'react'
import type { MarkdownRoot } from './read-markdown'
import { createMarkdownReader, type MarkdownReader, type WorkerPort } from './reader'

/** One for the page: what a streaming reply has read is there when the finished one is drawn. */
const pageReader = createMarkdownReader({
  now: () => performance.now(),
  spawn: () =>
    typeof Worker === 'undefined' ? null : (new Worker('/workers/markdown.js', { type: 'module' }) as WorkerPort),
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

/**
 * What a growing text has been read to. One reading at a time: the text grows faster than a worker may read it, and each
 * reading that was given up for a longer one would never show.
 */
function createGrowing() {
  let newest: { readonly text: string; readonly root: MarkdownRoot | null } = { text: '', root: null }
  let stop: (() => void) | null = null
  const keep = (text: string, root: MarkdownRoot | null) => {
    newest = { text, root }
  }
  return {
    keep,
    before: (text: string) => (text.startsWith(newest.text) ? newest.root : null),
    ask(reader: MarkdownReader, text: string, onRead: (text: string, root: MarkdownRoot | null) => void) {
      stop ??= reader.ask(text, (root) => {
        stop = null
        keep(text, root)
        onRead(text, root)
      })
    },
    leave() {
      stop?.()
      stop = null
    },
  }
}

/** The tree of a text that may grow; null for none. */
export function useTree(text: string | null, reader: MarkdownReader = pageReader): Tree {
  const [growing] = useState(createGrowing)
  const [late, setLate] = useState<{ readonly text: string; readonly root: MarkdownRoot | null } | null>(null)
  const reading = useMemo(() => (text === null ? null : reader.read(text)), [reader, text])
  const wanted = reading === 'later' && late?.text !== text ? text : null
  // `late`: what came may be the tree of a text that has grown since.
  useEffect(() => {
    if (wanted !== null) growing.ask(reader, wanted, (read, root) => setLate({ text: read, root }))
  }, [reader, wanted, growing, late])
  useEffect(() => growing.leave, [growing])
  return useMemo(() => {
    if (text === null) return { root: null, pending: false }
    const root = reading === 'later' ? (late?.text === text ? late.root : undefined) : reading
    if (root === undefined) return { root: growing.before(text), pending: true }
    growing.keep(text, root)
    return { root, pending: false }
  }, [text, reading, late, growing])
}

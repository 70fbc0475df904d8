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

/** Remembers the newest tree of one growing text: it stands while a longer text is read. */
function createNewest() {
  let newest: { readonly text: string; readonly root: MarkdownRoot | null } = { text: '', root: null }
  return {
    keep(text: string, root: MarkdownRoot | null) {
      newest = { text, root }
    },
    before: (text: string) => (text.startsWith(newest.text) ? newest.root : null),
  }
}

/** The tree of a text that may grow; null for none. */
export function useTree(text: string | null, reader: MarkdownReader = pageReader): Tree {
  const [newest] = useState(createNewest)
  const [late, setLate] = useState<{ readonly text: string; readonly root: MarkdownRoot | null } | null>(null)
  const reading = useMemo(() => (text === null ? null : reader.read(text)), [reader, text])
  const wanted = reading === 'later' && late?.text !== text ? text : null
  useEffect(() => {
    if (wanted === null) return
    return reader.ask(wanted, (root) => {
      newest.keep(wanted, root)
      setLate({ text: wanted, root })
    })
  }, [reader, wanted, newest])
  return useMemo(() => {
    if (text === null) return { root: null, pending: false }
    const root = reading === 'later' ? (late?.text === text ? late.root : undefined) : reading
    if (root === undefined) return { root: newest.before(text), pending: true }
    newest.keep(text, root)
    return { root, pending: false }
  }, [text, reading, late, newest])
}

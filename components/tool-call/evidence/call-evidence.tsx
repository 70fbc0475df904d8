'use client'

import { useEffect, useMemo, useState, type RefObject, useCallback, useImperativeHandle, useRef, type Ref } from 'react'
import { fingerprint, type FileBasis } from '@/lib/client/calls/call-jobs'
import type { CurrentItem, PathInfo, CallSummary } from '@/lib/shared/tools/tool'
import { normalizePath } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import { useConversation } from '@/components/context/chat-context'
import { openCopy } from '@/lib/shared/calls/copy'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import type { OutOfView } from '@/components/ui/text/out-of-view'
import type { EvidenceKeys } from '../scope/call-scope'
import { CodeBlock } from '@/components/ui/code/code-block'
import { JsonTree } from '@/components/ui/code/json-tree'
import type { JsonObject } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'
import { ChangeView, PathList } from './change-view'
import { CardBody } from '../styles/card'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'

const MAX_COMPARED_BYTES = 1_000_000
const MAX_LISTED = 200

export interface CurrentFiles {
  readonly look: PathInfo
  /** The files' state when they were viewed; null if unknown. */
  readonly basis: FileBasis | null
  /** The files at these paths have changed since the card first read them. */
  readonly changed: boolean
}

interface Seen {
  readonly items: ReadonlyMap<string, CurrentItem | null>
  readonly basis: FileBasis
  /** The files' state when the card first read them. */
  readonly first: FileBasis
}

/**
 * The current files at the paths, followed on changes. Unknown before the first read, or if they can't be read. Read
 * only once the card is near the viewport.
 */
export function useCurrentFiles(
  conversationId: string,
  paths: readonly string[],
  card: RefObject<Element | null>,
): CurrentFiles {
  const runtimeOf = useToolRuntime()
  // The preview uses the files that the call will run on.
  const copyId = useConversation((view) => openCopy(view.grants)?.id ?? null)
  const [seen, setSeen] = useState<Seen | null>(null)
  const near = useNear(card, paths.length > 0)
  const key = paths.join('\n')
  useEffect(() => {
    if (!near || key === '') return
    let wanted = true
    let unwatch = () => {}
    const lost = () => wanted && setSeen(null)
    void (async () => {
      const { vfs: files, openCopy: open } = await runtimeOf(conversationId)
      const vfs = copyId === null ? files : (open?.(copyId).files ?? files)
      const look = async () => {
        const found = await readCurrent(vfs, key.split('\n'))
        if (wanted) setSeen((before) => joined(before, found))
      }
      if (!wanted) return
      unwatch = vfs.watch(() => void look().catch(lost))
      await look()
      // The card then shows only the new text; the run itself reports the error.
    })().catch(lost)
    return () => {
      wanted = false
      unwatch()
    }
  }, [near, key, conversationId, copyId, runtimeOf])
  return useMemo(
    () => ({
      look: (path) => seen?.items.get(path),
      basis: seen?.basis ?? null,
      changed: seen !== null && !isSame(seen.first, seen.basis),
    }),
    [seen],
  )
}

type Found = Omit<Seen, 'first'>

/** Returns the same object as long as the files are the same. */
function joined(before: Seen | null, found: Found): Seen {
  // Other paths are another question: they have not changed since nobody has read them.
  if (before === null || !isOfSamePaths(before.basis, found.basis)) return { ...found, first: found.basis }
  return isSame(before.basis, found.basis) ? before : { ...found, first: before.first }
}

const isOfSamePaths = (a: FileBasis, b: FileBasis): boolean =>
  a.size === b.size && [...a.keys()].every((path) => b.has(path))

const isSame = (a: FileBasis, b: FileBasis): boolean =>
  isOfSamePaths(a, b) && [...a].every(([path, mark]) => b.get(path) === mark)

async function readCurrent(vfs: Vfs, paths: readonly string[]): Promise<Found> {
  const items = new Map<string, CurrentItem | null>()
  const basis = new Map<string, string>()
  for (const path of paths) {
    // Fingerprinted first: a change during the read triggers another read through the watch.
    basis.set(path, await fingerprint(vfs, path))
    const item = await readItem(vfs, path)
    if (item !== undefined) items.set(path, item)
  }
  return { items, basis }
}

async function readItem(vfs: Vfs, path: string): Promise<CurrentItem | null | undefined> {
  const normal = normalizePath(path)
  if (!normal.ok) return undefined
  const stat = await vfs.stat(normal.value)
  if (!stat.ok) return stat.error.code === 'ENOENT' ? null : undefined
  if (stat.value.kind === 'directory') {
    const tree = await vfs.tree(normal.value)
    if (!tree.ok) return undefined
    const files = tree.value.filter(({ kind }) => kind === 'file')
    const size = files.reduce((sum, file) => sum + file.size, 0)
    return { text: null, size, files: files.length, inside: files.slice(0, MAX_LISTED) }
  }
  const { size } = stat.value
  if (size > MAX_COMPARED_BYTES) return { text: null, size }
  const read = await vfs.read(normal.value)
  if (!read.ok) return undefined
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.value), size }
  } catch {
    return { text: null, size }
  }
}

function useNear(element: RefObject<Element | null>, wanted: boolean): boolean {
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    const target = element.current
    if (!wanted || near || !target) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      {
        rootMargin: '400px',
      },
    )
    observer.observe(target)
    return () => observer.disconnect()
  }, [element, wanted, near])
  return near
}

/** Pixels by which a measurement may be off. */
const SLACK = 4
/** A share of the scroller's height: paging keeps a few lines of the previous page. */
const PAGE = 0.85

/**
 * Whether all of a card's evidence was in view, tracked by its two ends. `evidence` is the ref for its element; `said`
 * is true after a key press was blocked because of it.
 */
export function useEvidenceInView(parts: OutOfView, keys: Ref<EvidenceKeys> | undefined) {
  const evidence = useRef<HTMLDivElement>(null)
  /** The height at which each end was in view; later growth was not seen. */
  const seen = useRef({ top: false, bottomAt: -1 })
  const [said, setSaid] = useState(false)

  const look = useCallback(() => {
    const element = evidence.current
    if (!element) return
    const { top, bottom, height } = element.getBoundingClientRect()
    const view = viewOf(element)
    if (top >= view.top - SLACK && top <= view.bottom + SLACK) seen.current.top = true
    if (bottom <= view.bottom + SLACK && bottom >= view.top - SLACK) seen.current.bottomAt = height
  }, [])
  useScrolls(evidence, look)

  const isOver = () => {
    const element = evidence.current
    if (parts.words !== '') return false
    if (!element) return true
    look()
    return seen.current.top && element.getBoundingClientRect().height <= seen.current.bottomAt + SLACK
  }
  const open = () => {
    setSaid(true)
    parts.reveal()
    evidence.current?.scrollIntoView({ block: 'nearest' })
  }
  const passes = () => {
    if (isOver()) return true
    setSaid(true)
    const element = evidence.current
    if (parts.words !== '' || !seen.current.top || !element) {
      parts.reveal()
      element?.scrollIntoView({ block: 'start' })
    } else {
      const { top, bottom } = viewOf(element)
      scrollerOf(element).scrollBy({ top: (bottom - top) * PAGE })
    }
    return false
  }
  useImperativeHandle(keys, () => ({ passes, isFolded: () => parts.words !== '', open }))
  return { evidence, said }
}

/** Checks after every scroll, and when the evidence's layout changes. */
function useScrolls(evidence: RefObject<HTMLElement | null>, look: () => void): void {
  useEffect(() => {
    look()
    document.addEventListener('scroll', look, { capture: true, passive: true })
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(look)
    if (evidence.current) observer?.observe(evidence.current)
    return () => {
      document.removeEventListener('scroll', look, { capture: true })
      observer?.disconnect()
    }
  }, [evidence, look])
}

function scrollerOf(element: Element): Element {
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight + SLACK && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  }
  return document.scrollingElement ?? document.documentElement
}

/** The visible area for the element: its scroller, within the window. */
function viewOf(element: Element): { readonly top: number; readonly bottom: number } {
  const scroller = scrollerOf(element)
  if (scroller === document.scrollingElement) return { top: 0, bottom: window.innerHeight }
  const { top, bottom } = scroller.getBoundingClientRect()
  return { top: Math.max(0, top), bottom: Math.min(window.innerHeight, bottom) }
}

/** What the call sends to the web. */
const LazyWebRequest = lazyPart(() => import('./web-request'), { look: 'silent' })

/** A preview of what a call would do: the change, the code, or the arguments. */
export function CallEvidence({ summary, args }: { summary: CallSummary | null; args: JsonObject }) {
  const body = summary?.body ?? { kind: 'arguments' as const }
  switch (body.kind) {
    case 'none':
      return null
    case 'code':
      return (
        <CardBody>
          <CodeBlock label={t('card-evidence.code')} text={body.text} language={body.language} />
        </CardBody>
      )
    case 'diff':
      return <ChangeView path={body.path} before={body.before} after={body.after} />
    case 'paths':
      return <PathList {...body} />
    case 'web':
      return <LazyWebRequest what={body.what} text={body.text} />
    case 'arguments':
      return Object.keys(args).length === 0 ? null : (
        <CardBody>
          <JsonTree label={t('card-evidence.arguments')} value={args} members={12} />
        </CardBody>
      )
  }
}

/** The evidence as text for the clipboard. */
export function evidenceText(summary: CallSummary | null, args: JsonObject): string {
  const body = summary?.body
  if (body?.kind === 'code') return body.text
  if (body?.kind === 'diff') return body.after
  if (body?.kind === 'web') return body.text
  if (body?.kind === 'paths') return body.entries.map(({ path }) => path).join('\n')
  return JSON.stringify(args, null, 2)
}

/** Bytes of the result as it is stored. */
export const resultBytes = ({ result }: Pick<CallOutcome, 'result'>): number => {
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  return new TextEncoder().encode(text).byteLength
}

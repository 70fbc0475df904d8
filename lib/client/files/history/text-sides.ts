import { decodeText } from '@/lib/base/text/text-encoding'
import { loadPart } from '@/lib/i18n/load-part'
import type { VfsHistory } from '@/lib/vfs/vfs-history'
import type { ChangeGroup } from './change-groups'

/** One side of a change. `unreadable`: not a text of a comparable size; `gone`: the history has pruned it. */
export type Side =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly size: number }
  | { readonly kind: 'gone' }

export interface TextSides {
  readonly before: Side
  readonly after: Side
}

export interface LineCounts {
  readonly added: number
  readonly removed: number
}

const MAX_TEXT_BYTES = 1_000_000
/** Beyond this much work the count is less useful than "changed". */
const COUNT_TIMEOUT_MS = 300

/** A path before the group's first set that touches it, and after its last one. */
export async function readSides(history: VfsHistory, group: ChangeGroup, path: string): Promise<TextSides> {
  const sets = group.sets.filter(({ changes }) => changes.some((change) => change.path === path))
  const read = async (side: 'before' | 'after'): Promise<Side> => {
    const set = side === 'before' ? sets.at(-1) : sets[0]
    const image = set?.changes.find((change) => change.path === path)?.[side]
    if (!set || image === undefined || image === null) return { kind: 'nothing' }
    if (image.kind === 'directory') return { kind: 'folder' }
    if (image.size > MAX_TEXT_BYTES) return { kind: 'unreadable', size: image.size }
    const found = await history.read(set.id, path, side)
    return found.ok ? textOf(found.value) : { kind: 'gone' }
  }
  const [before, after] = await Promise.all([read('before'), read('after')])
  return { before, after }
}

function textOf(data: Uint8Array): Side {
  const read = decodeText(data)
  if (read === null) return { kind: 'unreadable', size: data.byteLength }
  return { kind: 'text', text: read.markBytes > 0 ? `\ufeff${read.text}` : read.text }
}

const textSide = (side: Side): string | null => (side.kind === 'text' ? side.text : side.kind === 'nothing' ? '' : null)

/** Both texts, '' if there is no file; null if one of them is not text. */
export function comparable({ before, after }: TextSides): { readonly before: string; readonly after: string } | null {
  const [old, next] = [textSide(before), textSide(after)]
  return old === null || next === null ? null : { before: old, after: next }
}

/** Counts added and removed lines; null if there is nothing to compare. Loads the comparison code on first use. */
export async function countLines(sides: TextSides): Promise<LineCounts | null> {
  const texts = comparable(sides)
  if (!texts) return null
  if (texts.before === '') return { added: linesOf(texts.after), removed: 0 }
  if (texts.after === '') return { added: 0, removed: linesOf(texts.before) }
  const { structuredPatch } = await loadPart(() => import('diff'))
  const patch = structuredPatch('', '', texts.before, texts.after, '', '', { context: 0, timeout: COUNT_TIMEOUT_MS })
  if (!patch) return null
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  }
}

const linesOf = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length)

/** The fields of a comparison's line that are used here. */
interface PlacedLine {
  readonly kind: 'same' | 'add' | 'del' | 'gap'
}

/** Beyond this many lines the first place is cut. */
const MAX_LINES = 10

interface FirstDifference<T> {
  readonly shown: readonly T[]
  /** How many other places changed. */
  readonly places: number
  /** How many lines of the first place are left out. */
  readonly lines: number
}

/** The first place that changed, without its context: a short preview for a list. */
export function firstDifference<T extends PlacedLine>(lines: readonly T[]): FirstDifference<T> {
  const places: T[][] = []
  let open = false
  for (const line of lines) {
    if (line.kind === 'add' || line.kind === 'del') {
      if (!open) places.push([])
      places.at(-1)?.push(line)
      open = true
    } else open = false
  }
  const [first = []] = places
  const shown = first.length > MAX_LINES + 1 ? first.slice(0, MAX_LINES) : first
  return { shown, places: Math.max(0, places.length - 1), lines: first.length - shown.length }
}

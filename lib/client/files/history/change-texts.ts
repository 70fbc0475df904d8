import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { counted, formatNumber } from '@/lib/base/text/locale'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'
import type { ChangeOrigin, NodeImage, PathChange, VfsHistory } from '@/lib/vfs/vfs-history'
import { isInside, parentOf } from '@/lib/vfs/path'
import { copiedFromBranchAction } from '../copy-from-branch'
import { decodeText } from '@/lib/base/text/text-encoding'
import { loadPart } from '@/lib/i18n/load-part'
import type { ChangeGroup } from './change-groups'

/** The kind of change to a path, from before to after. */
export type ChangeKind = 'created' | 'changed' | 'deleted'

export const kindOfChange = ({ before, after }: Pick<PathChange, 'before' | 'after'>): ChangeKind =>
  before === null ? 'created' : after === null ? 'deleted' : 'changed'

const isFile = (image: NodeImage): boolean => image?.kind === 'file'

/** A part of a sentence; `added` and `removed` are shown in their colours. */
export interface Words {
  readonly text: string
  readonly tone?: 'added' | 'removed'
}

export interface ChangeSummary {
  /** The only path, or the folder that contains all of them. */
  readonly path: string
  /**
   * Replaces the path if there are many: `14 files in /data`. This is the text for models; `titleText` is for people.
   */
  readonly title: string
  /** What the title counts; null: it is the path. */
  readonly many: { readonly of: 'files' | 'folders'; readonly count: number } | null
  readonly kind: ChangeKind | 'moved' | 'mixed'
  /** The file whose lines can be counted; null if there is none, or more than one. */
  readonly file: string | null
  /** The path it was moved to. */
  readonly movedTo: string | null
}

const forms = { files: { one: 'file', other: 'files' }, folders: { one: 'folder', other: 'folders' } }

/** The title, for people. */
export const titleText = ({ path, many }: ChangeSummary): string =>
  many === null ? asUntrusted(path) : t(`files-changes.${many.of}-in`, { count: many.count, folder: asUntrusted(path) })

/** Summarizes a group, as far as possible without reading any file. */
export function summarizeChanges(changes: readonly PathChange[]): ChangeSummary {
  const move = findMove(changes)
  if (move) return { path: move.from, title: move.from, many: null, kind: 'moved', file: null, movedTo: move.to }
  const files = changes.filter(({ before, after }) => isFile(before) || isFile(after))
  const kinds = new Set((files.length > 0 ? files : changes).map(kindOfChange))
  const [kind = 'changed'] = kinds
  const shared = kinds.size > 1 ? 'mixed' : kind
  const [first] = files.length > 0 ? files : changes
  const path = first?.path ?? '/'
  // Folders that were created only to hold the one file are not mentioned.
  const made = changes.every((change) => change === first || isInside(path, change.path))
  if (made || changes.length === 1) {
    return {
      path,
      title: path,
      many: null,
      kind: shared,
      file: isFile(first?.before ?? null) || isFile(first?.after ?? null) ? path : null,
      movedTo: null,
    }
  }
  const folder = sharedFolder(changes.map((change) => change.path))
  const top = changes.find((change) => change.path === folder)
  if (top && kindOfChange(top) === 'deleted')
    return { path: folder, title: folder, many: null, kind: shared, file: null, movedTo: null }
  const many =
    files.length > 0
      ? ({ of: 'files', count: files.length } as const)
      : ({ of: 'folders', count: changes.length } as const)
  const title = `${counted(many.count, forms[many.of])} in ${folder}`
  return { path: folder, title, many, kind: shared, file: null, movedTo: null }
}

/** The text after the tool's name: `new, +8 lines`, `+3 −2 lines`, `deleted, 14 files`, `moved to /b`. */
export function changeText(
  changes: readonly PathChange[],
  summary: ChangeSummary,
  lines: LineCounts | null,
): readonly Words[] {
  const files = changes.filter(({ before, after }) => isFile(before) || isFile(after)).length
  switch (summary.kind) {
    case 'moved':
      return [{ text: t('files-changes.moved-to', { path: asUntrusted(summary.movedTo ?? '') }) }]
    case 'mixed':
      return [{ text: mixedWords(changes) }]
    case 'created':
      if (summary.file === null && files === 0) return [{ text: t('files-changes.new-folder') }]
      return lines && summary.file !== null
        ? around((words) => t('files-changes.new-lines', { lines: words }), lineCountText(lines))
        : [{ text: t('files-changes.new') }]
    case 'deleted':
      if (summary.file === null && files > 0) return [{ text: t('files-changes.deleted-files', { files }) }]
      return lines && summary.file !== null
        ? around((words) => t('files-changes.deleted-lines', { lines: words }), lineCountText(lines))
        : [{ text: t('files-changes.deleted') }]
    case 'changed':
      return lines && lines.added + lines.removed > 0 ? lineCountText(lines) : [{ text: t('files-changes.changed') }]
  }
}

/** A sentence around parts that keep their tones. */
const around = (say: (words: string) => string, words: readonly Words[]): readonly Words[] =>
  withParts<readonly Words[]>((part) => say(part(words))).flatMap((part) =>
    typeof part === 'string' ? { text: part } : part,
  )

/** `+3 −2 lines`; a side of zero is left out. */
export function lineCountText({ added, removed }: LineCounts): readonly Words[] {
  if (added === 0 && removed === 0) return [{ text: t('files-changes.no-lines') }]
  const count = added > 0 && removed > 0 ? 2 : added + removed
  return around(
    (sides) => t('files-changes.lines', { sides, count }),
    [
      ...(added > 0 ? [{ text: `+${formatNumber(added)}`, tone: 'added' as const }] : []),
      ...(added > 0 && removed > 0 ? [{ text: ' ' }] : []),
      ...(removed > 0 ? [{ text: `−${formatNumber(removed)}`, tone: 'removed' as const }] : []),
    ],
  )
}

function mixedWords(changes: readonly PathChange[]): string {
  const files = changes.filter(({ before, after }) => isFile(before) || isFile(after))
  const of = (kind: ChangeKind) => files.filter((change) => kindOfChange(change) === kind).length
  const [created, changed, deleted] = [of('created'), of('changed'), of('deleted')]
  const parts = [
    ...(created > 0 ? [t('files-changes.mixed-new', { count: created })] : []),
    ...(changed > 0 ? [t('files-changes.mixed-changed', { count: changed })] : []),
    ...(deleted > 0 ? [t('files-changes.mixed-deleted', { count: deleted })] : []),
  ]
  return t('files-changes.mixed', { parts })
}

/** Who did it: the tool's name, or the user and their action. */
export function originText(origin: ChangeOrigin): string {
  if (origin.kind === 'call') return origin.tool
  if (origin.action === '') return t('files-changes.you')
  if (origin.action === copiedFromBranchAction) return t('files-changes.you-copied')
  return t('files-changes.you-did', { action: origin.action })
}

/** Finds a complete move: every file that was removed is below the new place with the same content. */
function findMove(changes: readonly PathChange[]): { readonly from: string; readonly to: string } | null {
  const gone = changes.filter((change) => kindOfChange(change) === 'deleted')
  const came = new Map(changes.filter(({ after }) => after !== null).map((change) => [change.path, change.after]))
  const [top] = gone
  if (!top || gone.some(({ path }) => !isInside(path, top.path))) return null
  const fits = (to: string): boolean =>
    gone.every(({ path, before }) => {
      const after = came.get(to + path.slice(top.path.length))
      return after?.kind === 'file'
        ? before?.kind === 'file' && before.version === after.version
        : after?.kind === 'directory' && before?.kind === 'directory'
    })
  for (const [to] of came) {
    if (!fits(to)) continue
    const explained = (path: string) => isInside(path, top.path) || isInside(path, to) || isInside(to, path)
    if (changes.every(({ path }) => explained(path))) return { from: top.path, to }
  }
  return null
}

function sharedFolder(paths: readonly string[]): string {
  const [first = '/'] = paths
  let folder = paths.length > 1 ? first : parentOf(first)
  while (!paths.every((path) => folder === '/' || isInside(path, folder))) folder = parentOf(folder)
  const isOneOf = paths.includes(folder)
  return isOneOf && paths.length === 1 ? parentOf(folder) : folder
}

/** For the model, in the user's voice: says that the files are no longer as the call left them. */
export function undoneSentence(
  { origin, changes }: Pick<ChangeGroup, 'origin' | 'changes'>,
  changedLater: boolean,
): string {
  const { title } = summarizeChanges(changes)
  const what = origin.kind === 'call' ? `what ${origin.tool} did to ${title}` : `my change to ${title}`
  return changedLater
    ? `I undid ${what}; files that were changed again later stay as they are.`
    : `I undid ${what}; the files are as they were before it.`
}

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

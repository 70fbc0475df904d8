'use client'

import { TextButton } from '@/components/ui/controls/button'
import { Icon, type IconName } from '@/components/ui/controls/icon'
import { checkBox } from '@/components/ui/recipes/field'
import { note } from '@/components/ui/recipes/surface'
import { ForeignName, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { formatBytes } from '@/lib/base/text/locale'
import { toolLabel } from '@/lib/i18n/labels'
import { t } from '@/lib/i18n/t'
import type { ReviewReason } from '@/lib/shared/conversation/copy-scopes'
import { isSkillPath } from '@/lib/shared/skills/skill-path'
import { isInside, nameOf, parentOf } from '@/lib/vfs/path'
import { runKey, type AskedFor } from './use-copy'
import { TextDiff } from '../evidence/text-diff'
import { useEffect, useState } from 'react'
import { diffLines } from '@/components/ui/code/diff-view'
import { decodeText } from '@/lib/base/text/text-encoding'
import type { CopyChange, FilesCopy } from '@/lib/vfs/copy/files-copy'
import type { ChangedLines } from '../scope/call-scope'

/** A longer difference is not read by anyone. */
const comparedBytes = 400_000
/** For more files, nobody reads the counts. */
const maxCounted = 100

/** The text of one side of a change; null if there is no file, undefined if it is not text or too large to compare. */
export function textOfSide(bytes: Uint8Array | null): string | null | undefined {
  if (bytes === null) return null
  if (bytes.byteLength > comparedBytes) return undefined
  return decodeText(bytes)?.text
}

async function linesOf(row: CopyChange, sides: FilesCopy['sides']): Promise<ChangedLines | null> {
  const { before, after } = await sides(row)
  const [old, next] = [textOfSide(before), textOfSide(after)]
  if (old === undefined || next === undefined) return null
  const lines = await diffLines(old ?? '', next ?? '', false)
  const count = (kind: 'add' | 'del') => (lines ?? []).filter((line) => line.kind === kind).length
  return lines && { added: count('add'), removed: count('del') }
}

/** Lines added and removed in each changed text file, by path; filled in file by file. */
export function useLines(rows: readonly CopyChange[], sides: FilesCopy['sides']): ReadonlyMap<string, ChangedLines> {
  const [lines, setLines] = useState<ReadonlyMap<string, ChangedLines>>(new Map())
  useEffect(() => {
    const here = new AbortController()
    const count = async () => {
      const found = new Map<string, ChangedLines>()
      for (const row of rows.filter(({ kind }) => kind === 'file').slice(0, maxCounted)) {
        const counted = await linesOf(row, sides).catch(() => null)
        if (here.signal.aborted) return
        if (counted) found.set(row.path, counted)
      }
      setLines(found)
    }
    void count()
    return () => here.abort()
  }, [rows, sides])
  return lines
}

/** A larger change is too long to review quickly. */
const largeBytes = 100_000
const pictureOrArchive =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|pdf|zip|gz|docx|xlsx|pptx|epub|mp3|mp4|wasm|woff2?|sqlite|db)$/i

/** Why a row should be reviewed first; empty if not. `asked`: calls that a text requested instead of the user. */
export function needsReview(
  { path, from, change, size, isStale, by }: CopyChange,
  folders: readonly string[] = [],
  asked: AskedFor = new Map(),
): readonly ReviewReason[] {
  const isOutside = folders.length > 0 && !folders.some((folder) => isInside(path, folder))
  return [
    ...(asked.has(runKey(by)) ? (['asked'] as const) : []),
    ...(isSkillPath(path) || (from !== '' && isSkillPath(from)) ? (['skill'] as const) : []),
    ...(change === 'deleted' ? (['deleted'] as const) : []),
    ...(isOutside ? (['outside'] as const) : []),
    ...(isStale ? (['edited'] as const) : []),
    ...(change !== 'deleted' && pictureOrArchive.test(path) ? (['binary'] as const) : []),
    ...(size > largeBytes ? (['large'] as const) : []),
  ]
}

/**
 * Folders that the user's message names, by their paths or by paths of files in them; empty if it names none. A change
 * elsewhere may be correct, but is worth a review.
 */
export function namedFolders(text: string): readonly string[] {
  const paths = text.match(/(?<![\w/:.])\/[\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)*/gu) ?? []
  return paths
    .map((path) => path.replace(/\.+$/, ''))
    .map((path) => (/\.[\p{L}\p{N}]+$/u.test(path) ? parentOf(path) : path))
    .filter((path) => path !== '/')
}

interface Folder {
  readonly path: string
  readonly rows: readonly CopyChange[]
}

export function foldersOf(rows: readonly CopyChange[]): readonly Folder[] {
  const folders = new Map<string, CopyChange[]>()
  for (const row of rows) folders.set(parentOf(row.path), [...(folders.get(parentOf(row.path)) ?? []), row])
  return [...folders].map(([path, inside]) => ({ path, rows: inside }))
}

interface RowProps {
  readonly sides: FilesCopy['sides']
  /** The number of each run, by message and slot. */
  readonly steps: ReadonlyMap<string, number>
  /** The folders that the user named. */
  readonly named: readonly string[]
  /** The words for calls that a text requested and the user did not. */
  readonly asked: AskedFor
  /** Lines added and removed by path; text files only. */
  readonly lines: ReadonlyMap<string, ChangedLines>
  /** The paths to keep; null if none are chosen individually. */
  readonly chosen: ReadonlySet<string> | null
  readonly onChoose: (row: CopyChange, isChosen: boolean) => void
}

const rowLine =
  'flex min-h-8 w-full items-center gap-2 px-3.5 text-sm narrow:min-h-touch narrow:px-3 pointer-coarse:min-h-touch'

export function FolderRows({
  folder,
  isOpen,
  ...rest
}: RowProps & { readonly folder: Folder; readonly isOpen: boolean }) {
  const [open, setOpen] = useState(isOpen)
  const name = folder.path === '/' ? '/' : `${folder.path}/`
  return (
    <li>
      <div className={rowLine}>
        <Icon name={open ? 'down' : 'right'} className="flex-none text-muted" />
        <TextButton className="min-w-0 truncate" aria-expanded={open} onClick={() => setOpen(!open)}>
          <ForeignName text={name} />
        </TextButton>
        <span className="text-muted">{t('copy.files', { count: folder.rows.length })}</span>
      </div>
      {open ? (
        <ul>
          {folder.rows.map((row) => (
            <CopyRow key={row.path} row={row} isFirst={false} {...rest} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

const isPicture = /\.(?:png|jpe?g|gif|webp|avif|ico|bmp)$/i

function glyphOf(reason: ReviewReason, path: string): IconName {
  if (reason === 'deleted') return 'trash'
  if (reason === 'edited' || reason === 'skill' || reason === 'asked') return 'warn'
  return isPicture.test(path) ? 'image' : 'read'
}

/** One path. `isFirst`: to review first, with its whole path and the reasons. */
export function CopyRow({
  row,
  isFirst,
  sides,
  steps,
  named,
  asked,
  lines,
  chosen,
  onChoose,
}: RowProps & { row: CopyChange; isFirst: boolean }) {
  const [open, setOpen] = useState(false)
  const { path, from, change, kind, size, by } = row
  const reasons = needsReview(row, named, asked)
  const counted = lines.get(path)
  const [reason] = reasons
  const canOpen = kind === 'file'
  const shown = `${isFirst ? path : nameOf(path)}${kind === 'directory' ? '/' : ''}`
  const step = steps.get(runKey(by))
  const words = isFirst
    ? reasons.map((one) => (one === 'asked' ? asked.get(runKey(by)) : t(`copy.${one}`))).join(', ')
    : change === 'moved'
      ? t('copy.moved', { from: asUntrusted(from) })
      : change === 'changed'
        ? ''
        : t(`copy.${change}`)
  return (
    <li>
      <div className={isFirst ? rowLine : `${rowLine} not-narrow:ps-9`}>
        {chosen !== null ? (
          <input
            className={checkBox()}
            type="checkbox"
            aria-label={labelOf(t('copy.keep-row', { path: asUntrusted(path) }))}
            checked={chosen.has(path)}
            onChange={(event) => onChoose(row, event.target.checked)}
          />
        ) : null}
        {isFirst && reason ? (
          <Icon name={glyphOf(reason, path)} className="flex-none text-warn" />
        ) : canOpen ? (
          <Icon name={open ? 'down' : 'right'} className="flex-none text-muted" />
        ) : null}
        {canOpen ? (
          <TextButton
            className="min-w-0 truncate font-mono text-mono"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <ForeignName text={shown} />
          </TextButton>
        ) : (
          <code className="min-w-0 truncate text-mono">
            <ForeignName text={shown} />
          </code>
        )}
        <span className="min-w-0 flex-1 truncate text-muted">
          <SentenceText text={words} />
          {isFirst || step === undefined ? null : (
            <span className="narrow:hidden">
              {words === '' ? '' : ' · '}
              {t('copy.step', { tool: toolLabel(by.tool) ?? asUntrusted(by.tool), step })}
            </span>
          )}
        </span>
        {counted ? (
          <LineCount {...counted} />
        ) : kind === 'file' ? (
          <span className="flex-none text-muted tabular-nums">{formatBytes(size)}</span>
        ) : null}
      </div>
      {open ? <RowDiff row={row} sides={sides} /> : null}
    </li>
  )
}

/** "+3 −1" */
export const LineCount = (lines: ChangedLines) => (
  <span className="flex-none tabular-nums">
    <span aria-hidden="true">
      <span className="text-ok">+{lines.added}</span> <span className="text-danger">−{lines.removed}</span>
    </span>
    <span className="sr-only">{t('card.lines', lines)}</span>
  </span>
)

type Texts = { readonly before: string | null; readonly after: string | null } | 'none'

function RowDiff({ row, sides }: { row: CopyChange; sides: FilesCopy['sides'] }) {
  const [texts, setTexts] = useState<Texts | null>(null)
  useEffect(() => {
    let isHere = true
    const load = async () => {
      const { before, after } = await sides(row)
      if (!isHere) return
      const [old, next] = [textOfSide(before), textOfSide(after)]
      const isText = old !== undefined && next !== undefined
      setTexts(isText && (old !== null || next !== null) ? { before: old, after: next } : 'none')
    }
    load().catch(() => isHere && setTexts('none'))
    return () => {
      isHere = false
    }
  }, [row, sides])
  if (texts === null) return <p className={note({ place: 'inset' })}>{t('copy.reading')}</p>
  if (texts === 'none') return <p className={note({ place: 'inset' })}>{t('copy.no-text')}</p>
  const label = labelOf(t('copy.diff', { path: asUntrusted(row.path) }))
  return <TextDiff label={label} before={texts.before ?? ''} after={texts.after ?? ''} />
}

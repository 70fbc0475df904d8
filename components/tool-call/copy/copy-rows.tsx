'use client'

import { useEffect, useState } from 'react'
import { TextButton } from '@/components/ui/controls/button'
import { Icon, type IconName } from '@/components/ui/controls/icon'
import { checkBox } from '@/components/ui/recipes/field'
import { note } from '@/components/ui/recipes/surface'
import { ForeignName, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { decodeText } from '@/lib/base/text/text-encoding'
import { formatBytes } from '@/lib/base/text/locale'
import { toolLabel } from '@/lib/i18n/labels'
import { t } from '@/lib/i18n/t'
import type { CopyChange, FilesCopy } from '@/lib/vfs/copy/files-copy'
import { nameOf, parentOf } from '@/lib/vfs/path'
import { TextDiff } from '../evidence/text-diff'

/** From here on a change is too long to read in passing. */
const largeBytes = 100_000
/** Beyond it nobody reads a difference. */
const comparedBytes = 400_000

const pictureOrArchive =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|pdf|zip|gz|docx|xlsx|pptx|epub|mp3|mp4|wasm|woff2?|sqlite|db)$/i

type Reason = 'deleted' | 'edited' | 'binary' | 'large'

/**
 * Why a row is among those to look at first; none: it is not. A call that a file asked for and the user did not belongs here
 * too, once calls carry such marks.
 */
export function worthALook({ path, change, size, isStale }: CopyChange): readonly Reason[] {
  return [
    ...(change === 'deleted' ? (['deleted'] as const) : []),
    ...(isStale ? (['edited'] as const) : []),
    ...(change !== 'deleted' && pictureOrArchive.test(path) ? (['binary'] as const) : []),
    ...(size > largeBytes ? (['large'] as const) : []),
  ]
}

export interface Folder {
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
  /** The paths that are to be kept; null: nothing is chosen one by one. */
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

function glyphOf(reason: Reason, path: string): IconName {
  if (reason === 'deleted') return 'trash'
  if (reason === 'edited') return 'warn'
  return isPicture.test(path) ? 'image' : 'read'
}

/** One path. `isFirst`: among those to look at first, with its whole path and the reasons. */
export function CopyRow({
  row,
  isFirst,
  sides,
  steps,
  chosen,
  onChoose,
}: RowProps & { row: CopyChange; isFirst: boolean }) {
  const [open, setOpen] = useState(false)
  const { path, from, change, kind, size, by } = row
  const reasons = worthALook(row)
  const [reason] = reasons
  const canOpen = kind === 'file'
  const shown = `${isFirst ? path : nameOf(path)}${kind === 'directory' ? '/' : ''}`
  const step = steps.get(`${by.messageId} ${by.slot}`)
  const words = isFirst
    ? reasons.map((one) => t(`copy.${one}`)).join(', ')
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
        {kind === 'file' ? <span className="flex-none text-muted tabular-nums">{formatBytes(size)}</span> : null}
      </div>
      {open ? <RowDiff row={row} sides={sides} /> : null}
    </li>
  )
}

type Texts = { readonly before: string | null; readonly after: string | null } | 'none'

function RowDiff({ row, sides }: { row: CopyChange; sides: FilesCopy['sides'] }) {
  const [texts, setTexts] = useState<Texts | null>(null)
  useEffect(() => {
    let isHere = true
    const load = async () => {
      const { before, after } = await sides(row)
      if (!isHere) return
      const [old, next] = [textOf(before), textOf(after)]
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

/** The text of a file; null: there is none, undefined: it is no text of a size that can be compared. */
function textOf(bytes: Uint8Array | null): string | null | undefined {
  if (bytes === null) return null
  if (bytes.byteLength > comparedBytes) return undefined
  return decodeText(bytes)?.text
}

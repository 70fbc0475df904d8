'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { useEffect, useEffectEvent, useState } from 'react'
import { diffLines, DiffView, type DiffLine } from '@/components/ui/code/diff-view'
import { cx } from '@/components/ui/recipes/recipe'
import { TextButton } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import type { ChangeGroup } from '@/lib/client/files/history/change-groups'
import {
  kindOfChange,
  comparable,
  readSides,
  type TextSides,
  firstDifference,
} from '@/lib/client/files/history/change-texts'
import type { HistoryWatch } from '@/lib/client/files/history/history-watch'
import { PathLine } from './move-notes'

export interface ChangeDetailsProps {
  readonly watch: HistoryWatch
  readonly group: ChangeGroup
  /** The only changed file; otherwise all paths are listed. */
  readonly file: string | null
  readonly onOpen: (path: string) => void
  /** In a call's card, which has its own Open and few buttons: the change scrolls instead of being opened. */
  readonly isInCard?: boolean
  /** Receives how many lines of the file were added and removed. */
  readonly onLines?: (lines: { readonly added: number; readonly removed: number }) => void
}

const MAX_PATHS = 100
/** A card draws no more lines; the rest is in the file’s history. */
const MAX_CARD_LINES = 200
const foot = cx('flex flex-wrap gap-x-4 px-4 pt-1 pb-2 text-code-muted empty:pt-0 empty:pb-1')

/** The changes: the lines of one file, or the list of paths. */
export function ChangeDetails(props: ChangeDetailsProps) {
  const { group, file, onOpen } = props
  if (file !== null) return <FileDetails {...props} file={file} />
  const shown = group.changes.slice(0, MAX_PATHS)
  return (
    <div className="bg-code">
      <ul className="max-h-56 overflow-y-auto px-4 py-2 font-mono text-mono">
        {shown.map((change) => (
          <PathLine key={change.path} fate={t(`files-changes.fate.${kindOfChange(change)}`)}>
            {change.after?.kind === 'file' && group.undone === 'no' && !group.offBranch ? (
              <TextButton className="text-start" onClick={() => onOpen(change.path)}>
                <ForeignText text={change.path} />
              </TextButton>
            ) : (
              <span>
                <ForeignText text={change.path} />
              </span>
            )}
          </PathLine>
        ))}
      </ul>
      {group.changes.length > shown.length ? (
        <p className={foot}>{t('files-changes.and-more', { count: group.changes.length - shown.length })}</p>
      ) : null}
    </div>
  )
}

function FileDetails({ watch, group, file, onOpen, onLines, isInCard = false }: ChangeDetailsProps & { file: string }) {
  const [whole, setWhole] = useState(false)
  const found = useDiffOf(watch, group, file)
  const canOpen = group.undone === 'no' && !group.offBranch && !isInCard
  const compared = found?.lines ?? null
  useEffect(() => {
    if (compared) onLines?.({ added: countOf(compared, 'add'), removed: countOf(compared, 'del') })
  }, [compared, onLines])
  if (found === null) return null
  const { lines, sides } = found
  if (!lines) {
    return (
      <div className="bg-code">
        <p className={foot}>{noLinesWords(sides)}</p>
        {canOpen && sides.after.kind === 'unreadable' ? (
          <p className={foot}>
            <TextButton onClick={() => onOpen(file)}>{t('files-changes.open-file')}</TextButton>
          </p>
        ) : null}
      </div>
    )
  }
  const label = labelOf(t('files-changes.of-file', { path: asUntrusted(file) }))
  if (isInCard) {
    const left = lines.length - MAX_CARD_LINES
    return (
      // Half of a line is cut off, so that one sees that more follows.
      <div className="max-h-53.5 overflow-y-auto bg-code">
        <DiffView dense label={label} lines={lines.slice(0, MAX_CARD_LINES)} />
        {left > 0 ? <p className={foot}>{t('files-changes.more-lines', { count: left })}</p> : null}
      </div>
    )
  }
  const place = firstDifference(lines)
  const more = place.places + place.lines
  return (
    <div className="bg-code">
      <DiffView dense label={label} lines={whole ? lines : place.shown} />
      <p className={foot}>
        {more > 0 ? (
          <>
            {whole ? null : (
              <span>
                {place.places > 0
                  ? t('files-changes.more-places', { count: place.places })
                  : t('files-changes.more-lines', { count: place.lines })}
              </span>
            )}
            <TextButton aria-expanded={whole} onClick={() => setWhole(!whole)}>
              {t(whole ? 'files-changes.show-less' : 'files-changes.show-whole')}
            </TextButton>
          </>
        ) : null}
        {canOpen && sides.after.kind === 'text' ? (
          <TextButton onClick={() => onOpen(file)}>{t('files-changes.open-file')}</TextButton>
        ) : null}
      </p>
    </div>
  )
}

const countOf = (lines: readonly DiffLine[], kind: DiffLine['kind']): number =>
  lines.filter((line) => line.kind === kind).length

function noLinesWords({ before, after }: TextSides): string {
  if (before.kind === 'gone' || after.kind === 'gone') return t('files-changes.contents-gone')
  const size = after.kind === 'unreadable' ? after.size : before.kind === 'unreadable' ? before.size : null
  return size === null ? t('files-changes.too-different') : t('files-changes.no-text', { size })
}

interface Found {
  readonly key: string
  readonly sides: TextSides
  readonly lines: readonly DiffLine[] | null
}

/** Null until it is loaded. */
function useDiffOf(watch: HistoryWatch, group: ChangeGroup, file: string): Found | null {
  const [found, setFound] = useState<Found | null>(null)
  const key = JSON.stringify([group.key, group.changes.find(({ path }) => path === file)])
  const load = useEffectEvent(async () => {
    const sides = await readSides(watch.vfs.history, group, file)
    const texts = comparable(sides)
    return { sides, lines: texts ? await diffLines(texts.before, texts.after, false).catch(() => null) : null }
  })
  useEffect(() => {
    let wanted = true
    load().then(
      (loaded) => wanted && setFound({ key, ...loaded }),
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [key])
  return found?.key === key ? found : null
}

'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { diffLines, DiffView, type DiffLine } from '@/components/ui/code/diff-view'
import { TextButton } from '@/components/ui/controls/button'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { checkBox } from '@/components/ui/recipes/field'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { kindOf, type FileDifference, type NameRisk } from '@/lib/client/folder/compare'
import type { FolderSync } from '@/lib/client/folder/sync'
import type { Resolution } from '@/lib/client/folder/take-in'
import { t } from '@/lib/i18n/t'

export const riskText = (risk: NameRisk): string => t(`files-folder.risk.${risk}`)

interface RowListProps {
  readonly label: string
  readonly about?: string
  readonly children: ReactNode
}

/** A heading with its files. */
export function RowList({ label, about, children }: RowListProps) {
  const id = useId()
  return (
    <section className="mt-3" aria-labelledby={id}>
      <h3 id={id} className="text-sm font-strong">
        <SentenceText text={label} />
      </h3>
      {about ? <p className="text-sm text-muted">{about}</p> : null}
      <ul className="mt-1 divide-y divide-line overflow-clip rounded-lg border border-line text-sm">{children}</ul>
    </section>
  )
}

type Side = 'base' | 'mine' | 'theirs'

interface DifferenceRowProps {
  readonly row: FileDifference
  /** The state before and the state after. */
  readonly sides: readonly ['mine' | 'theirs', 'mine' | 'theirs']
  readonly sync: FolderSync
  readonly note?: string | null
  readonly isChosen?: boolean
  readonly onChoose?: (on: boolean) => void
}

/** A file that one side changed. Its changed lines can be shown. */
export function DifferenceRow({ row, sides, sync, note = null, isChosen, onChoose }: DifferenceRowProps) {
  const [open, setOpen] = useState(false)
  const [from, to] = sides
  const path = asUntrusted(row.path)
  return (
    <li>
      <div className="flex items-center gap-2 px-3 py-1">
        <label className="me-auto flex min-w-0 flex-1 items-center gap-2 pointer-coarse:min-h-touch">
          {onChoose ? (
            <input
              type="checkbox"
              className={checkBox({})}
              aria-label={labelOf(t('files-folder.choose-file', { path }))}
              checked={isChosen}
              onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
            />
          ) : null}
          <span className="min-w-0 font-mono text-mono">
            <ForeignText text={row.path} />
          </span>
        </label>
        <span className="flex-none text-muted">{t(`files-folder.kind.${kindOf(row[from], row[to])}`)}</span>
        <TextButton
          aria-expanded={open}
          aria-label={labelOf(t('files-folder.show-file', { path }))}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'files-folder.hide' : 'files-folder.show')}
        </TextButton>
      </div>
      {note ? (
        <p className="px-3 pb-1 text-warn">
          <SentenceText text={note} />
        </p>
      ) : null}
      {open ? <SideDiff row={row} from={from} to={to} sync={sync} /> : null}
    </li>
  )
}

interface ConflictRowProps {
  readonly row: FileDifference
  readonly sync: FolderSync
  readonly choice: Resolution | null
  readonly onChoose: (choice: Resolution | null) => void
}

/** A file that both sides changed: the changes of each side since the last sync, and the user's choice. */
export function ConflictRow({ row, sync, choice, onChoose }: ConflictRowProps) {
  const path = asUntrusted(row.path)
  // "Keep both" is offered only if neither side deleted the file.
  const canKeepBoth = row.mine !== null && row.theirs !== null
  return (
    <li className="grid gap-1 py-1">
      <div className="flex flex-wrap items-center gap-2 px-3">
        <span className="me-auto min-w-0 font-mono text-mono">
          <ForeignText text={row.path} />
        </span>
        <SegmentedControl<Resolution | 'none'>
          label={labelOf(t('files-folder.resolve', { path }))}
          value={choice ?? 'none'}
          options={[
            { value: 'none', label: t('files-folder.later') },
            { value: 'mine', label: t('files-folder.keep-mine') },
            { value: 'theirs', label: t('files-folder.keep-theirs') },
            ...(canKeepBoth ? [{ value: 'both' as const, label: t('files-folder.keep-both') }] : []),
          ]}
          onChange={(next) => onChoose(next === 'none' ? null : next)}
        />
      </div>
      <div className="grid grid-cols-2 gap-px bg-line narrow:grid-cols-1">
        {(['mine', 'theirs'] as const).map((side) => (
          <div key={side} className="min-w-0 bg-raised">
            <h4 className="px-3 py-1 text-muted">
              {t('files-folder.side', {
                side: t(`files-folder.side-${side}`),
                change: t(`files-folder.kind.${kindOf(row.base, row[side])}`),
              })}
            </h4>
            <SideDiff row={row} from="base" to={side} sync={sync} />
          </div>
        ))}
      </div>
    </li>
  )
}

interface SideDiffProps {
  readonly row: FileDifference
  readonly from: Side
  readonly to: Side
  readonly sync: FolderSync
}

type Found =
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] }
  /** The common ancestor is no longer stored, so the whole current text is shown. */
  | { readonly kind: 'alone'; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'none' }

function SideDiff({ row, from, to, sync }: SideDiffProps) {
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    let wanted = true
    const load = async (): Promise<Found> => {
      const sides = await sync.sides(row)
      const [before, after] = [sides[from], sides[to]]
      if (after === null) return { kind: 'none' }
      const lines = await diffLines(before ?? '', after, false)
      if (lines === null) return { kind: 'none' }
      return { kind: before === null ? 'alone' : 'lines', lines }
    }
    const show = async () => {
      const loaded = await load().catch((): Found => ({ kind: 'none' }))
      if (wanted) setFound(loaded)
    }
    void show()
    return () => {
      wanted = false
    }
  }, [sync, row, from, to])
  if (found === null) return null
  if (found.kind === 'none') return <p className="px-3 py-1 text-muted">{t('files-folder.no-lines')}</p>
  return (
    <>
      {found.kind === 'alone' ? <p className="px-3 py-1 text-muted">{t('files-folder.base-gone')}</p> : null}
      <div className="max-h-56 overflow-y-auto bg-code">
        <DiffView
          dense
          label={labelOf(t(`files-folder.change-${to === 'base' ? 'mine' : to}`, { path: asUntrusted(row.path) }))}
          lines={found.lines}
          path={row.path}
        />
      </div>
    </>
  )
}

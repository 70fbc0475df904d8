'use client'

import { useEffect, useRef } from 'react'
import { ForeignText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { Kbd } from '@/components/ui/kbd'
import { cx } from '@/components/ui/recipes/recipe'
import type { RankedGroup } from '@/lib/commands/rank-entries'
import { t } from '@/lib/i18n/t'
import type { PaletteEntry, PaletteGroup } from './palette-entry'

export interface PaletteRowsProps {
  /** What the ids of the rows begin with; a row's number follows. */
  readonly id: string
  readonly groups: readonly RankedGroup<PaletteGroup, PaletteEntry>[]
  /** The number of the row that Enter means. */
  readonly at: number
  readonly onPoint: (id: string) => void
  readonly onRun: (entry: PaletteEntry) => void
}

/** What fits, group by group; the rows are counted through. */
export function PaletteRows({ id, groups, at, onPoint, onRun }: PaletteRowsProps) {
  let before = 0
  return groups.map(({ group, entries, more }) => {
    const first = before
    before += entries.length
    return (
      <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
        <div id={`${id}-${group}`} role="presentation" className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
          {t(`command.group.${group}`)}
        </div>
        {entries.map((entry, index) => (
          <Row
            key={entry.id}
            id={`${id}-${first + index}`}
            entry={entry}
            selected={first + index === at}
            onPoint={() => onPoint(entry.id)}
            onRun={() => onRun(entry)}
          />
        ))}
        {more > 0 && group !== 'recent' ? (
          <div role="presentation" className="px-2 py-1 text-sm text-muted">
            {t('command.more', { count: more })}
          </div>
        ) : null}
      </div>
    )
  })
}

interface RowProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly selected: boolean
  readonly onPoint: () => void
  readonly onRun: () => void
}

const rowLook = cx(
  'flex min-h-8 w-full items-center text-start gap-2.5 rounded-md px-2 py-1 aria-selected:bg-hover pointer-coarse:min-h-touch',
  'forced-colors:aria-selected:outline-2 forced-colors:aria-selected:outline-[Highlight] [&>svg]:text-muted',
)

function Row({
  id,
  entry: { icon, label, written, beside = '', now = false, keys },
  selected,
  onPoint,
  onRun,
}: RowProps) {
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (selected) row.current?.scrollIntoView?.({ block: 'nearest' })
  }, [selected])
  return (
    // Keys are the field's; the pointer chooses here.
    <button
      ref={row}
      type="button"
      tabIndex={-1}
      id={id}
      className={rowLook}
      role="option"
      aria-selected={selected}
      onPointerMove={selected ? undefined : onPoint}
      onClick={onRun}
    >
      <Icon name={icon} />
      <span className="min-w-0 flex-initial truncate" dir={written === 'prose' ? 'auto' : undefined}>
        {written ? <ForeignText text={label} reading={written} /> : label}
      </span>
      {beside === '' ? null : (
        <span className="min-w-8 flex-1 truncate text-sm text-muted">
          <ForeignText text={beside} reading="prose" />
        </span>
      )}
      {now ? (
        <span className="ms-auto inline-flex flex-none items-center gap-1 text-sm text-muted">
          <Icon name="ok" />
          {t('command.now')}
        </span>
      ) : null}
      {keys === undefined ? null : (
        <span className="ms-auto flex-none text-muted">
          <Kbd keys={keys} />
        </span>
      )}
    </button>
  )
}

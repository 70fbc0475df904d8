'use client'

import { ForeignText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { formatBytes } from '@/lib/base/format-bytes'
import type { ChangeMark } from '@/lib/workspace/tree/change-marks'
import type { TreeRow } from '@/lib/workspace/tree/tree-rows'
import { Icon, type IconName } from '@/components/ui/icon'
import { NameField } from './name-field'

const pictures = /\.(png|jpe?g|gif|webp|avif|svg|bmp|ico)$/i

const iconOf = ({ kind, name }: TreeRow): IconName =>
  kind === 'directory' ? 'folder' : pictures.test(name) ? 'image' : 'read'

export interface TreeLineProps {
  readonly row: TreeRow
  readonly id: string
  /** Pixels from the top of the list. */
  readonly top: number
  readonly active: boolean
  readonly selected: boolean
  /** A drag is over the folder that it stands for, or lies in. */
  readonly target: boolean
  readonly renaming: boolean
  readonly mark: ChangeMark | null
  /** False on touch, where a long press opens the menu. */
  readonly draggable: boolean
  readonly onRenamed: (row: TreeRow, name: string | null, left: boolean) => string | null
}

/** One line of the tree, which has the focus and hears all presses; a line is only pointed at. */
export function TreeLine(props: TreeLineProps) {
  const { row, id, top, active, selected, target, renaming, mark } = props
  const isFolder = row.kind === 'directory'
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      className={`tree-line${active ? ' active' : ''}${target ? ' target' : ''}${row.own ? ' own' : ''}`}
      style={{ top, paddingInlineStart: `${row.level - 1}rem` }}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={selected}
      aria-label={visibleText(mark ? `${row.name}, ${mark}` : row.name, 'name')}
      title={renaming ? undefined : visibleText(row.path, 'name')}
      data-path={row.path}
      {...(isFolder ? { 'aria-expanded': row.expanded } : {})}
      draggable={props.draggable && !renaming}
    >
      {isFolder ? <Icon name={row.expanded ? 'down' : 'right'} className="twist" /> : <span className="twist" />}
      <Icon name={iconOf(row)} />
      {renaming ? (
        <NameField
          label={`New name of ${row.name}`}
          value={row.name}
          onDone={(name, left) => props.onRenamed(row, name, left)}
          selectStem={!isFolder}
        />
      ) : (
        <>
          <span className="cut" dir="auto">
            <ForeignText text={row.name} />
          </span>
          {mark ? <span className="flag">{mark}</span> : null}
          {isFolder ? <span className="end" /> : <span className="num">{formatBytes(row.size)}</span>}
          <button
            type="button"
            className="line-more"
            tabIndex={-1}
            aria-label={visibleText(`More for ${row.name}`, 'name')}
            data-more=""
          >
            <Icon name="more" />
          </button>
        </>
      )}
    </div>
  )
}

'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { formatBytes } from '@/lib/base/text/locale'
import type { TreeRow, ChangeMark } from '@/lib/client/files/tree/tree-rows'
import { Icon, type IconName } from '@/components/ui/controls/icon'
import { cx } from '@/components/ui/recipes/recipe'
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
  /** A drag is over its folder, or the folder that contains it. */
  readonly target: boolean
  readonly renaming: boolean
  readonly mark: ChangeMark | null
  /** False on touch, where a long press opens the menu. */
  readonly draggable: boolean
  readonly onRenamed: (row: TreeRow, name: string | null, left: boolean) => string | null
}

const line = cx(
  'group/line absolute inset-x-0 flex h-7 cursor-default items-center rounded-sm text-sm select-none [-webkit-touch-callout:none]',
  'hover:bg-hover aria-selected:bg-hover data-own:text-muted data-own:italic data-target:inset-ring-2 data-target:inset-ring-ink',
  // The active row shows the focus instead of the whole tree.
  'outline-focus group-focus-visible/tree:data-active:outline-2 group-focus-visible/tree:data-active:-outline-offset-2',
  'has-[input]:z-above has-[input]:pe-1 pointer-coarse:h-touch pointer-coarse:text-md',
)
const size = cx(
  'ms-auto flex-none ps-3 pe-2 whitespace-nowrap text-muted tabular-nums',
  'group-hover/line:pe-0 group-focus-visible/tree:group-data-active/line:pe-0 pointer-coarse:pe-0',
)
const more = cx(
  'me-0.5 hidden size-[1.5rem] flex-none place-items-center rounded-sm hover:bg-line',
  'group-hover/line:grid group-focus-visible/tree:group-data-active/line:grid',
  'pointer-coarse:m-0 pointer-coarse:grid pointer-coarse:size-touch',
)

/** One row of the tree. The tree has the focus and handles all events; a row is only pointed at. */
export function TreeLine(props: TreeLineProps) {
  const { row, id, top, active, selected, target, renaming, mark } = props
  const isFolder = row.kind === 'directory'
  const marked = mark === null ? null : t('files-explorer.mark', { mark })
  const shownName = visibleText(row.name, 'name')
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      className={line}
      data-active={active || undefined}
      data-target={target || undefined}
      data-own={row.own || undefined}
      style={{ top, paddingInlineStart: `${row.level - 1}rem` }}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={selected}
      aria-label={
        marked === null
          ? shownName
          : labelOf(t('files-explorer.marked', { name: asUntrusted(shownName), mark: marked }))
      }
      data-tip={renaming ? undefined : visibleText(row.path, 'name')}
      data-path={row.path}
      {...(isFolder ? { 'aria-expanded': row.expanded } : {})}
      draggable={props.draggable && !renaming}
    >
      {isFolder ? (
        <Icon name={row.expanded ? 'down' : 'right'} className="ms-2 size-3 text-muted" />
      ) : (
        <span className="ms-2 w-3 flex-none" />
      )}
      <Icon name={iconOf(row)} className="ms-1.5 size-3.5 text-muted" />
      {renaming ? (
        <NameField
          label={labelOf(t('files-explorer.new-name', { name: asUntrusted(shownName) }))}
          size="line"
          value={row.name}
          onDone={(name, left) => props.onRenamed(row, name, left)}
          selectStem={!isFolder}
        />
      ) : (
        <>
          <span className="ms-1.5 truncate" dir="auto">
            <ForeignText text={row.name} />
          </span>
          {marked === null ? null : <span className="ms-1.5 flex-none text-xs text-muted">{marked}</span>}
          {isFolder ? <span className="ms-auto" /> : <span className={size}>{formatBytes(row.size)}</span>}
          <button
            type="button"
            className={more}
            tabIndex={-1}
            aria-label={labelOf(t('files-explorer.more-for', { name: asUntrusted(shownName) }))}
            data-more=""
          >
            <Icon name="more" className="size-3.5 text-muted" />
          </button>
        </>
      )}
    </div>
  )
}

'use client'

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useSyncExternalStore,
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  type SyntheticEvent,
} from 'react'
import {
  type TreeRow,
  type ChangeMark,
  selectAll,
  selectOne,
  selectTo,
  target,
  toggleOne,
  typeahead,
} from '@/lib/client/files/tree/tree-rows'
import { t } from '@/lib/i18n/t'
import { TYPEAHEAD_MS } from '@/lib/base/text/type-ahead'
import { pathsType } from './use-file-drop'
import { TreeLine } from './tree-line'
import { treeIntent, useTreeActs, type TreeEvents, type TreeState } from './use-tree-state'

const LONG_PRESS_MS = 500

/** Detects a long press; iOS has no event for it. */
function useLongPress() {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const from = useRef({ x: 0, y: 0 })
  const long = useRef(false)
  const end = () => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
  }
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
    },
    [],
  )
  return {
    begin(at: { readonly x: number; readonly y: number }, onLong: () => void) {
      end()
      long.current = false
      from.current = at
      timer.current = setTimeout(() => {
        long.current = true
        onLong()
      }, LONG_PRESS_MS)
    },
    move(event: PointerEvent) {
      if (Math.hypot(event.clientX - from.current.x, event.clientY - from.current.y) > 10) end()
    },
    end,
    /** True once for the click that ends a long press. */
    wasLong(): boolean {
      const was = long.current
      long.current = false
      return was
    },
  }
}

export interface FileTreeProps {
  readonly state: TreeState
  readonly marks: ReadonlyMap<string, ChangeMark>
  readonly element: RefObject<HTMLDivElement | null>
  /** The path that is being renamed. */
  readonly renaming: string | null
  /** The folder under a drag. */
  readonly dropFolder: string | null
  readonly on: TreeEvents
}

const coarse = '(pointer: coarse)'
const subscribeCoarse = (changed: () => void) => {
  const query = window.matchMedia?.(coarse)
  query?.addEventListener('change', changed)
  return () => query?.removeEventListener('change', changed)
}
const isCoarse = () => window.matchMedia?.(coarse).matches ?? false

const FINE_ROW = 28
const TOUCH_ROW = 44

/** The tree `Files`. Only visible rows are rendered, so the tree points at its active row by id. */
export function FileTreeView(props: FileTreeProps) {
  const { state, marks, element, renaming, dropFolder, on } = props
  const { rows, selection } = state
  const { active, selected } = selection
  const id = useId()
  const touch = useSyncExternalStore(subscribeCoarse, isCoarse, () => false)
  const activeAt = rows.findIndex(({ path }) => path === active)
  const rowHeight = touch ? TOUCH_ROW : FINE_ROW
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => element.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.path ?? index,
    overscan: 8,
    // The active row is always rendered, because the tree points at it.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      if (activeAt < 0 || indexes.includes(activeAt)) return indexes
      return [...indexes, activeAt].toSorted((a, b) => a - b)
    },
  })
  useEffect(() => virtual.measure(), [virtual, rowHeight])

  const show = useEffectEvent((index: number) => virtual.scrollToIndex(index))
  useEffect(() => {
    if (activeAt >= 0) show(activeAt)
    // Also if the row moved because rows before it were added or removed.
  }, [activeAt])

  const act = useTreeActs(props)
  const typed = useRef({ text: '', at: 0 })
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.nativeEvent.isComposing || event.defaultPrevented) return
    const intent = treeIntent(event)
    if (intent === null) return
    // Space continues a name typed for type-ahead.
    const typing = event.timeStamp - typed.current.at < TYPEAHEAD_MS && typed.current.text !== ''
    event.preventDefault()
    event.stopPropagation()
    if (intent.kind === 'type' || (intent.kind === 'toggle' && typing && event.key === ' ')) {
      const letter = intent.kind === 'type' ? intent.letter : ' '
      typed.current = { text: typing ? typed.current.text + letter : letter, at: event.timeStamp }
      const path = typeahead(rows, active, typed.current.text)
      if (path !== null) state.select(selectOne(path))
      return
    }
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 1)
    if (intent.kind === 'go') {
      const path = target(rows, active, intent.move, page)
      if (path === null) return
      if (intent.extend) state.select(selectTo(rows, selection, path))
      else state.select(intent.alone ? { ...selection, active: path } : selectOne(path))
      return
    }
    if (intent.kind === 'select-all') {
      state.select(selectAll(rows, selection))
      return
    }
    const row = rows[activeAt]
    if (row !== undefined) act(intent.kind, row)
  }

  const press = useLongPress()
  const rowAt = (event: SyntheticEvent): TreeRow | undefined => {
    // Keys pressed while renaming belong to the name field.
    if (!(event.target instanceof Element) || event.target.closest('[data-name-field]')) return undefined
    const path = event.target.closest<HTMLElement>('[data-path]')?.dataset['path']
    return path === undefined ? undefined : rows.find((row) => row.path === path)
  }
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const row = rowAt(event)
    if (row === undefined || press.wasLong()) return
    const more = event.target instanceof Element ? event.target.closest('[data-more]') : null
    if (more) {
      const { left, bottom } = more.getBoundingClientRect()
      // The menu button means its own row, whatever else is selected.
      state.select(selectOne(row.path))
      element.current?.focus()
      on.menu([row.path], { x: left, y: bottom })
    } else if (event.shiftKey) state.select(selectTo(rows, selection, row.path))
    else if (event.ctrlKey || event.metaKey) state.select(toggleOne(selection, row.path))
    else {
      state.select(selectOne(row.path))
      if (row.kind === 'directory') state.setOpen(row.path, !row.expanded)
      else on.open(row.path, 'pointer')
    }
  }
  const onContextMenu = (event: MouseEvent<HTMLDivElement>) => {
    const row = rowAt(event)
    if (row === undefined) return
    event.preventDefault()
    act('menu', row, { x: event.clientX, y: event.clientY })
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const row = event.pointerType === 'touch' ? rowAt(event) : undefined
    const at = { x: event.clientX, y: event.clientY }
    if (row) press.begin(at, () => act('menu', row, at))
  }
  const onDragStart = (event: DragEvent<HTMLDivElement>) => {
    const row = rowAt(event)
    if (row === undefined) return
    const paths = selected.has(row.path) ? [...selected] : [row.path]
    if (!selected.has(row.path)) state.select(selectOne(row.path))
    event.dataTransfer.setData(pathsType, JSON.stringify(paths))
    event.dataTransfer.setData('text/plain', paths.join('\n'))
    event.dataTransfer.effectAllowed = 'copyMove'
  }
  const onRenamed = (row: TreeRow, name: string | null, left: boolean) => {
    const refused = on.renamed(row.path, name)
    if (refused === null && !left) element.current?.focus()
    return refused
  }
  const activeMounted = virtual.getVirtualItems().some(({ index }) => index === activeAt)
  return (
    <div
      ref={element}
      role="tree"
      aria-label={t('files-explorer.tree')}
      aria-multiselectable="true"
      tabIndex={0}
      className="group/tree min-h-16 flex-initial overflow-x-hidden overflow-y-auto p-2 group-data-with-file/body:narrow:hidden focus-visible:outline-none"
      {...(activeMounted && renaming === null ? { 'aria-activedescendant': `${id}-${activeAt}` } : {})}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onDragStart={onDragStart}
      onPointerDown={onPointerDown}
      onFocus={(event) => {
        const [first] = rows
        if (event.target === event.currentTarget && active === null && first) {
          state.select({ ...selection, active: first.path })
        }
      }}
      onPointerMove={(event) => press.move(event)}
      onPointerUp={press.end}
      onPointerCancel={press.end}
    >
      <div role="none" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return row ? (
            <TreeLine
              key={row.path}
              row={row}
              id={`${id}-${index}`}
              top={start}
              active={index === activeAt}
              selected={selected.has(row.path)}
              target={dropFolder === row.path}
              renaming={renaming === row.path}
              mark={marks.get(row.path) ?? null}
              draggable={!touch}
              onRenamed={onRenamed}
            />
          ) : null
        })}
      </div>
    </div>
  )
}

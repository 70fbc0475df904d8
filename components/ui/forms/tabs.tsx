'use client'

import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { cx } from '../recipes/recipe'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

export interface TabItem {
  readonly id: string
  readonly label: ReactNode
  /** Called only while its tab is chosen or kept. */
  readonly panel: () => ReactNode
}

export interface TabsProps {
  readonly label: string
  readonly items: readonly TabItem[]
  /** The end of the tab row. */
  readonly end?: (chosen: string) => ReactNode
  /** The chosen tab, if controlled; left out: the component keeps it, starting with the first. */
  readonly chosenId?: string
  readonly onChoose?: (id: string) => void
  /** Panels that were shown stay mounted, with their input. */
  readonly keep?: boolean
  /** The class of the row, which is sticky while its panel scrolls: its position and background. */
  readonly className?: string
}

/** Tabs and links are on two rows before either of them wraps. */
const tabsEnd = 'ms-auto inline-flex min-h-9 items-center gap-3 whitespace-nowrap pointer-coarse:min-h-touch'

/** A row of tabs with one panel. Arrow keys, Home and End move and choose. */
export function Tabs({ label, items, end, chosenId, onChoose, keep = false, className }: TabsProps) {
  const base = useId()
  const [own, setOwn] = useState(items[0]?.id ?? '')
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => new Set())
  const row = useRef<HTMLSpanElement>(null)
  const chosen = items.find((item) => item.id === (chosenId ?? own)) ?? items[0]
  if (!chosen) return null
  if (keep && !seen.has(chosen.id)) setSeen(new Set([...seen, chosen.id]))
  const setWanted = (id: string) => {
    setOwn(id)
    onChoose?.(id)
  }
  const panelId = (item: TabItem) => `${base}${keep ? `-${item.id}` : ''}-panel`
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextTab(items, chosen, event.key)
    if (!next) return
    event.preventDefault()
    setWanted(next.id)
    row.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <>
      <div
        className={cx(
          'flex min-h-9 flex-wrap items-center gap-x-4 border-b border-line px-3.5 text-sm narrow:flex-nowrap',
          className,
        )}
      >
        <span
          className="flex flex-wrap items-center gap-4 narrow:min-w-0 narrow:flex-nowrap narrow:overflow-x-auto narrow:[scrollbar-width:none]"
          role="tablist"
          tabIndex={-1}
          aria-label={visibleText(label, 'prose')}
          ref={row}
          onKeyDown={onKeyDown}
        >
          {items.map((item) => (
            <button
              key={item.id}
              type="button"
              role="tab"
              className="relative h-9 flex-none whitespace-nowrap text-muted pointer-coarse:h-touch pointer-coarse:min-w-touch aria-selected:font-medium aria-selected:text-text aria-selected:after:absolute aria-selected:after:inset-x-0 aria-selected:after:-bottom-px aria-selected:after:h-0.5 aria-selected:after:bg-ink"
              id={`${base}-${item.id}`}
              data-tab={item.id}
              aria-selected={item === chosen}
              aria-controls={panelId(item)}
              tabIndex={item === chosen ? 0 : -1}
              onClick={() => setWanted(item.id)}
            >
              {item.label}
            </button>
          ))}
        </span>
        {end ? <span className={tabsEnd}>{end(chosen.id)}</span> : null}
      </div>
      {items.map((item) =>
        item === chosen || (keep && seen.has(item.id)) ? (
          <div
            key={keep ? item.id : ''}
            role="tabpanel"
            id={panelId(item)}
            aria-labelledby={`${base}-${item.id}`}
            hidden={item !== chosen}
          >
            {item.panel()}
          </div>
        ) : null,
      )}
    </>
  )
}

function nextTab(items: readonly TabItem[], chosen: TabItem, key: string): TabItem | undefined {
  const at = items.indexOf(chosen)
  switch (key) {
    case 'ArrowRight':
      return items[(at + 1) % items.length]
    case 'ArrowLeft':
      return items[(at - 1 + items.length) % items.length]
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
    default:
      return undefined
  }
}

'use client'

import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

export interface TabItem {
  readonly id: string
  readonly label: ReactNode
  /** Called only while its tab is chosen. */
  readonly panel: () => ReactNode
}

export interface TabsProps {
  readonly label: string
  readonly items: readonly TabItem[]
  /** What stands at the end of the row of tabs. */
  readonly end?: (chosen: string) => ReactNode
}

/** Tabs and links stand in two rows before either of them breaks. */
const tabsEnd = 'ms-auto inline-flex min-h-9 items-center gap-3 whitespace-nowrap'

/** A row of tabs with one panel. Arrows, Home and End move and choose. */
export function Tabs({ label, items, end }: TabsProps) {
  const base = useId()
  const [wanted, setWanted] = useState(items[0]?.id ?? '')
  const row = useRef<HTMLSpanElement>(null)
  const chosen = items.find((item) => item.id === wanted) ?? items[0]
  if (!chosen) return null
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextTab(items, chosen, event.key)
    if (!next) return
    event.preventDefault()
    setWanted(next.id)
    row.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 border-b border-line px-3.5 text-sm">
        <span
          className="flex flex-wrap items-center gap-4"
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
              className="relative h-9 text-muted aria-selected:font-medium aria-selected:text-text aria-selected:after:absolute aria-selected:after:inset-x-0 aria-selected:after:-bottom-px aria-selected:after:h-0.5 aria-selected:after:bg-ink"
              id={`${base}-${item.id}`}
              data-tab={item.id}
              aria-selected={item === chosen}
              aria-controls={`${base}-panel`}
              tabIndex={item === chosen ? 0 : -1}
              onClick={() => setWanted(item.id)}
            >
              {item.label}
            </button>
          ))}
        </span>
        {end ? <span className={tabsEnd}>{end(chosen.id)}</span> : null}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen.id}`}>
        {chosen.panel()}
      </div>
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

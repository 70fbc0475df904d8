import { localStorageOrNull } from '@/lib/base/features.browser'
import { t } from '@/lib/i18n/t'
import { useLayoutEffect, useState, type KeyboardEvent, type PointerEvent } from 'react'

const MIN_REM = 20
const MAX_REM = 40
const FIRST_REM = 25
const stored = 'nod:panel-rem'

const within = (rem: number): number => Math.min(MAX_REM, Math.max(MIN_REM, Math.round(rem * 4) / 4))

/** The line between thread and panel: dragged, or moved by keys; the browser remembers where it stood. */
export function PanelEdge() {
  const [rem, setRem] = useState(readWidth)
  useLayoutEffect(() => {
    // However wide it was left on a large screen, the thread keeps its half of a smaller one.
    if (rem === null) return
    document.documentElement.style.setProperty('--panel', `min(${rem}rem, 45vw)`)
  }, [rem])
  const change = (next: number) => {
    const width = within(next)
    setRem(width)
    keepWidth(width)
  }
  const current = rem ?? FIRST_REM
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted = { ArrowLeft: current + 1, ArrowRight: current - 1, Home: MIN_REM, End: MAX_REM }[event.key]
    if (wanted === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    change(wanted)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    change((window.innerWidth - event.clientX) / remPixels())
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('files-panel.width')}
      aria-valuemin={MIN_REM}
      aria-valuemax={MAX_REM}
      aria-valuenow={current}
      aria-valuetext={t('files-panel.width-rem', { rem: current })}
      tabIndex={0}
      className="absolute inset-y-0 -start-[3px] z-above w-[7px] cursor-col-resize touch-none hover:bg-line-strong active:bg-line-strong"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={onPointerMove}
    />
  )
}

const remPixels = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Null: never moved, so the house's own width stands. */
function readWidth(): number | null {
  try {
    const rem = Number(localStorageOrNull()?.getItem(stored) ?? 'none')
    return Number.isFinite(rem) ? within(rem) : null
  } catch {
    return null
  }
}

function keepWidth(rem: number): void {
  try {
    localStorageOrNull()?.setItem(stored, String(rem))
  } catch {
    // A browser that keeps nothing starts at the house's width again.
  }
}

interface TouchPoint {
  readonly x: number
  readonly y: number
  /** Milliseconds. */
  readonly at: number
}

const minPx = 64
const longestMs = 600

/** The direction of a swipe that is horizontal, long and fast enough; null for a scroll, a tap or any other move. */
export function swipeOf(start: TouchPoint, end: TouchPoint): 'left' | 'right' | null {
  const across = end.x - start.x
  const along = end.y - start.y
  if (Math.abs(across) < minPx || Math.abs(along) * 2 > Math.abs(across) || end.at - start.at > longestMs) return null
  return across > 0 ? 'right' : 'left'
}

export interface Panels {
  /** Opens the list of chats, from the side where lines start. */
  readonly openList: () => void
  readonly toggleWorkspace: () => void
  readonly isWorkspaceOpen: () => boolean
}

/** A keyboard covers more of the window than this; the browser's own bars cover less. */
const minKeyboardPx = 120

/**
 * Touch support: panels open by swipe, and the composer stays above the keyboard. Returns a function that removes both.
 */
export function onTouch(panels: Panels): () => void {
  const listening = new AbortController()
  followSwipes(panels, listening.signal)
  followKeyboard(listening.signal)
  return () => listening.abort()
}

function followSwipes({ openList, toggleWorkspace, isWorkspaceOpen }: Panels, signal: AbortSignal): void {
  let start: TouchPoint | null = null
  const options = { passive: true, signal } as const
  document.addEventListener(
    'touchstart',
    (event) => {
      const [touch] = event.touches
      const isOne = event.touches.length === 1 && touch !== undefined
      start = isOne && isFree(event.target) ? { x: touch.clientX, y: touch.clientY, at: event.timeStamp } : null
    },
    options,
  )
  document.addEventListener('touchcancel', () => (start = null), options)
  document.addEventListener(
    'touchend',
    (event) => {
      const [touch] = event.changedTouches
      const from = start
      start = null
      if (!from || !touch || event.touches.length > 0 || hasSelection()) return
      const way = swipeOf(from, { x: touch.clientX, y: touch.clientY, at: event.timeStamp })
      if (way === null) return
      const isRtl = document.documentElement.dir === 'rtl'
      go(way === (isRtl ? 'left' : 'right') ? 'in' : 'out')
    },
    options,
  )

  /** `in` closes the workspace, or opens the list if the workspace is closed; `out` opens the workspace. */
  function go(way: 'in' | 'out'): void {
    const dialog = document.querySelector<HTMLDialogElement>('dialog[open]')
    if (dialog) {
      // A swipe closes the list only; every other dialog asks something.
      if (way === 'out' && dialog.dataset['look'] === 'sheet')
        dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
      return
    }
    if (way === 'out' || isWorkspaceOpen()) {
      if (isWorkspaceOpen() === (way === 'in')) toggleWorkspace()
    } else openList()
  }
}

const hasSelection = (): boolean => (document.getSelection()?.toString() ?? '') !== ''

/**
 * Whether nothing at the target scrolls sideways, is drawn on or is typed into. Such an element keeps its own swipes.
 */
function isFree(target: EventTarget | null): boolean {
  for (let each = target instanceof Element ? target : null; each; each = each.parentElement) {
    if (each.matches('input, textarea, select, canvas, iframe, [contenteditable], [role="slider"]')) return false
    if (each.scrollWidth <= each.clientWidth + 1) continue
    const { overflowX } = getComputedStyle(each)
    if (overflowX === 'auto' || overflowX === 'scroll') return false
  }
  return true
}

/** In browsers whose keyboard overlays the page (Safari), the visual viewport gives the height that is left. */
function followKeyboard(signal: AbortSignal): void {
  const view = window.visualViewport
  if (!view) return
  const { style } = document.documentElement
  const fit = () => {
    const covers = view.scale < 1.05 && window.innerHeight - view.height > minKeyboardPx
    if (covers) {
      style.setProperty('--page', `${view.height}px`)
      window.scrollTo(0, 0)
    } else style.removeProperty('--page')
  }
  view.addEventListener('resize', fit, { signal })
  signal.addEventListener('abort', () => style.removeProperty('--page'))
}

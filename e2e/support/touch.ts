import { expect, type Locator, type Page } from '@playwright/test'

export interface Insets {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

/** Simulates window corners and a notch, as far as Chromium can; pages read `env(safe-area-inset-…)`. */
export async function giveInsets(page: Page, insets: Insets): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
}

/**
 * Checks that no target within `root` is smaller than 44 pixels around its middle (an underlined word 24), or under an
 * inset.
 */
export async function expectTouchable(root: Locator, insets: Insets, about = ''): Promise<void> {
  const wrong = await root.evaluate((element, { top, right, bottom, left }) => {
    const all = [
      ...element.querySelectorAll<HTMLElement>('button, a[href], input, select, summary, [role=tab], [role=radio]'),
    ]
    return all.flatMap((target) => {
      const shown = target instanceof HTMLInputElement && target.labels?.[0] ? target.labels[0] : target
      const box = shown.getBoundingClientRect()
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      const isSeen = box.width > 1 && box.height > 1 && x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
      const hits = (dx: number, dy: number) => {
        const hit = document.elementFromPoint(x + dx, y + dy)
        return hit !== null && (shown.contains(hit) || target.contains(hit))
      }
      const { display, textDecorationLine } = getComputedStyle(target)
      // Links inside text are exempt in WCAG.
      const isInLine = display === 'inline'
      // An underlined word has a larger touch area if there is room, and at least this one.
      const least = textDecorationLine.includes('underline') ? 24 : 44
      if (!isSeen || isInLine || (target as HTMLButtonElement).disabled || !hits(0, 0)) return []
      const name = `${target.getAttribute('aria-label') ?? target.textContent.trim().slice(0, 40)} (${Math.round(box.width)} × ${Math.round(box.height)})`
      const half = least / 2 - 2
      const isSmall = !hits(0, -half) || !hits(0, half) || (box.width < least && (!hits(-half, 0) || !hits(half, 0)))
      // A row of tabs scrolls: one that is cut off is scrolled into view.
      const row = target.closest<HTMLElement>('[role=tablist]')
      if (row && row.scrollWidth > row.clientWidth) return isSmall ? [`small: ${name}`] : []
      // The same for items cut off at the lower end of a scrolling list.
      const continues = (from: HTMLElement | null): boolean =>
        from !== null &&
        ((/auto|scroll/.test(getComputedStyle(from).overflowY) &&
          from.scrollTop + from.clientHeight < from.scrollHeight - 1) ||
          continues(from.parentElement))
      const isUnder =
        box.top < top ||
        box.left < left ||
        box.right > innerWidth - right ||
        (box.bottom > innerHeight - bottom && !continues(target.parentElement))
      const scroller = (from: HTMLElement | null): HTMLElement | null =>
        from === null || /auto|scroll/.test(getComputedStyle(from).overflowY) ? from : scroller(from.parentElement)
      const end = scroller(target.parentElement)?.getBoundingClientRect().bottom ?? innerHeight
      // The thread scrolls behind the message field.
      const field = document.querySelector('#message')?.closest('form')
      const edge = field && !field.contains(target) ? field.getBoundingClientRect().top : innerHeight
      const isCutOff = box.bottom > Math.min(end, innerHeight, edge) - 1 && continues(target.parentElement)
      return [...(isSmall && !isCutOff ? [`small: ${name}`] : []), ...(isUnder ? [`under the edge: ${name}`] : [])]
    })
  }, insets)
  expect.soft(wrong, about).toEqual([])
}

'use client'

import { useEffect, useEffectEvent, useRef, type RefObject, useMemo } from 'react'
import { useClientStore, useConversation } from '@/components/context/chat-context'
import { jumpDone, useJump, type Jump } from '@/components/context/show-in-page'
import { type ChatRow, isHere } from '@/lib/shared/conversation/message-tree'
import { t } from '@/lib/i18n/t'
import { useOlder } from '@/components/context/use-older'

/** The distance from the upper edge to the target message; px. */
const spaceAboveHead = 64
/** How long it is marked. */
const markMs = 2_500
/** How long to wait for a reply in progress. */
const timeoutMs = 3_000
/** Frames without a move after which the scrolling is done. */
const still = 4
/** About ten seconds, because an older message is loaded over the network first. */
const maxFrames = 600

/** Scrolls to a message of the path by its index, so that it gets rendered. */
export type ScrollToMessage = (index: number) => void

/**
 * Carries out a jump in the shown chat: scrolls until the message is in view, however far up it is and whatever has to
 * be loaded, marks it for a moment and focuses it. Returns the jump while its message is in another branch, which must
 * be shown first.
 */
export function useJumping(
  scroller: HTMLElement,
  path: readonly ChatRow[],
  scrollToMessage: RefObject<ScrollToMessage | null>,
): Jump | null {
  const jump = useJump()
  const store = useClientStore()
  const id = useConversation((view) => view.id)
  const phase = useConversation((view) => view.phase)
  const isThere = useConversation((view) => jump !== null && view.tree.has(jump.messageId))
  const isBusy = useConversation((view) => view.run !== null || view.sending)
  const mine = jump?.conversationId === id && phase === 'ready' ? jump : null
  const index = mine ? path.findIndex((row) => row.id === mine.messageId) : -1
  const isShown = index >= 0
  const place = useRef(index)
  useEffect(() => {
    place.current = index
  })
  const tell = useEffectEvent((message: string) => {
    store.dispatch({ type: 'problem-raised', conversationId: id, problem: { message, canRetry: false } })
  })

  useEffect(() => {
    if (!mine || isShown) return
    if (isThere && !isBusy) return
    const abandon = () => {
      tell(t(isThere ? 'list.no-jump-now' : 'list.no-jump'))
      jumpDone(mine)
    }
    if (!isThere) {
      abandon()
      return
    }
    // The end of a reply in another chat is known a moment after the chat is opened again.
    const timer = setTimeout(abandon, timeoutMs)
    return () => clearTimeout(timer)
  }, [mine, isShown, isThere, isBusy])

  useEffect(() => {
    if (!mine || !isShown) return
    return scrollTo(
      scroller,
      mine.messageId,
      () => scrollToMessage.current?.(place.current),
      () => jumpDone(mine),
    )
  }, [mine, isShown, scroller, scrollToMessage])

  return mine && !isShown && isThere && !isBusy ? mine : null
}

/** Returns a function that cancels it; the reader's own scrolling does, too. */
function scrollTo(scroller: HTMLElement, messageId: string, scrollToMessage: () => void, done: () => void): () => void {
  const life = new AbortController()
  const wheelUp = new WheelEvent('wheel', { deltaY: -1 })
  let quiet = 0
  let frames = 0
  const find = () => scroller.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`)
  const end = (shown: HTMLElement | null) => {
    life.abort()
    if (shown) mark(shown)
    done()
  }
  const step = () => {
    if (life.signal.aborted) return
    frames += 1
    const shown = find()
    if (!shown) {
      scroller.dispatchEvent(wheelUp)
      scrollToMessage()
    } else {
      const away = shown.getBoundingClientRect().top - scroller.getBoundingClientRect().top - spaceAboveHead
      const before = scroller.scrollTop
      if (Math.abs(away) > 2) {
        // The view follows a chat's end until someone scrolls up.
        scroller.dispatchEvent(wheelUp)
        scroller.scrollTop = before + away
      }
      quiet = Math.abs(scroller.scrollTop - before) > 2 ? 0 : quiet + 1
      if (quiet > still && !shown.querySelector('[data-absent]')) return end(shown)
    }
    if (frames > maxFrames) return end(shown)
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
  for (const sign of ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const) {
    window.addEventListener(sign, (event) => event.isTrusted && end(find()), { signal: life.signal, passive: true })
  }
  return () => life.abort()
}

function mark(shown: HTMLElement): void {
  shown.setAttribute('data-found', '')
  setTimeout(() => shown.removeAttribute('data-found'), markMs)
  shown.tabIndex = -1
  shown.focus({ preventScroll: true })
}

/** Messages around the visible ones that are loaded with them: a page of scrolling and some more. */
const around = 40

/** How long a view must be still before messages load, so that those scrolled past are skipped. */
const restMs = 60

/** Loads missing rows among these, however far up they are. Returns whether one is missing. */
export function useScrollAnchor(rows: readonly ChatRow[]): boolean {
  const older = useOlder()
  useEffect(() => {
    const absent = rows.filter((row) => !isHere(row))
    if (absent.length > 0) older.need(absent.map(({ id }) => id))
  }, [older, rows])
  return !rows.every(isHere)
}

/**
 * Loads missing messages of the path from `start` to `end` (exclusive), which are visible, and some around them.
 * Returns whether a visible one is missing.
 */
export function useMarkSeen(path: readonly ChatRow[], start: number, end: number): boolean {
  const aged = useConversation((view) => view.aged)
  const older = useOlder()
  const { ids, lacking } = useMemo(() => {
    const isWanted = (row: ChatRow) => !isHere(row) || aged.has(row.id)
    // A reply needs the message after it.
    const inView = path.slice(start, end + 1)
    const isNear = inView.some(isWanted) || path.slice(Math.max(0, start - around / 2), start).some(isWanted)
    const wanted = isNear
      ? [
          ...inView.toReversed(),
          ...path.slice(Math.max(0, start - around), start).toReversed(),
          ...path.slice(end + 1, end + around),
        ]
      : []
    return {
      ids: wanted.filter(isWanted).map(({ id }) => id),
      lacking: inView.some((row) => !isHere(row)),
    }
  }, [path, start, end, aged])
  useEffect(() => {
    const rest = setTimeout(() => older.look(ids), restMs)
    return () => clearTimeout(rest)
  }, [older, ids])
  return lacking
}

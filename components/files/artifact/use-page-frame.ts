import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { builtFile } from '@/lib/base/base-path'
import type { FullPage } from '@/lib/client/files/page/inline-page'
import type { PageAddress } from '@/lib/client/files/page/page-address'
import { changedIn } from '@/lib/client/files/page/page-bundle'
import { pageLimits } from '@/lib/client/files/page/page-files'
import {
  readPageMessage,
  type PageAsked,
  type PageMessage,
  type PageScroll,
  type PageToRun,
} from '@/lib/client/files/page/page-messages'

/** How many times a page may take the keyboard unasked; the last of them ends it. */
const maxThefts = 2
const checkMs = 250
/** A browser asks the frame’s process where in it Tab leads to. */
const tabMs = 500
/** So long a browser counts a press; Chromium has five seconds. */
const countedMs = 6_000

export interface KeyboardGuard {
  /**
   * A person pressed something in the frame, which a page can’t make up: its script saw the press (`isTrusted`), or the browser
   * counts one of the last five seconds. The latter may be older than what was pressed beside the frame.
   */
  readonly pressed: (isSeen: boolean) => void
  /** The app itself puts the focus into the frame. */
  readonly lend: () => void
  readonly stop: () => void
}

/**
 * Keeps the keyboard where the person put it. A frame gets it by a press inside it, or by Tab; a page that takes it by script gives
 * it back at once, to the element that had it, and is told of (`onThief`) the second time. The permissions policy against this
 * (`focus-without-user-activation`) is sent too, but few browsers know it.
 */
export function guardKeyboard(frame: HTMLIFrameElement, onThief: () => void): KeyboardGuard {
  const { ownerDocument: document } = frame
  const window = document.defaultView
  let mayHave = false
  /** The app gave it the keyboard: until something beside the frame is pressed or typed, its page takes nothing. */
  let lent = false
  /** When Tab was pressed, and led to nothing beside the frame. */
  let tabbedAt = -Infinity
  let thefts = 0
  let holder: Element | null = document.activeElement === frame ? null : document.activeElement
  /** When the focus was given back; a press that is told of only then gets it. */
  let returnedAt = -Infinity
  /** When something beside the frame was pressed or typed. */
  let usedAt = -Infinity

  const check = () => {
    if (document.activeElement !== frame) {
      mayHave = false
      return
    }
    mayHave ||= lent || performance.now() - tabbedAt < tabMs
    if (mayHave) return
    if (holder instanceof HTMLElement && holder.isConnected && holder !== document.body) {
      holder.focus({ preventScroll: true })
    } else frame.blur()
    returnedAt = performance.now()
    thefts += 1
    if (thefts === maxThefts) onThief()
  }
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target === frame) return check()
    mayHave = false
    tabbedAt = -Infinity
    if (target instanceof Element) holder = target
  }
  const onKey = (event: KeyboardEvent) => {
    if (!event.isTrusted) return
    mayHave = lent = false
    usedAt = performance.now()
    tabbedAt = event.key === 'Tab' ? usedAt : -Infinity
    setTimeout(() => {
      if (event.defaultPrevented) tabbedAt = -Infinity
    })
  }
  // A press beside the frame: what has the keyboard from now on is not the frame, whatever was pressed in it before.
  const onPress = () => {
    mayHave = lent = false
    usedAt = performance.now()
    returnedAt = tabbedAt = -Infinity
  }

  document.addEventListener('focusin', onFocusIn, true)
  document.addEventListener('pointerdown', onPress, true)
  window?.addEventListener('keydown', onKey, true)
  window?.addEventListener('blur', check)
  window?.addEventListener('focus', check)
  const timer = setInterval(check, checkMs)
  return {
    pressed(isSeen) {
      if (!isSeen && performance.now() - usedAt < countedMs) return
      mayHave = true
      if (performance.now() - returnedAt > 500) return
      // It came after the focus that it explains.
      thefts -= 1
      returnedAt = -Infinity
      frame.focus({ preventScroll: true })
    },
    lend() {
      mayHave = lent = true
      frame.focus()
    },
    stop() {
      clearInterval(timer)
      document.removeEventListener('focusin', onFocusIn, true)
      document.removeEventListener('pointerdown', onPress, true)
      window?.removeEventListener('keydown', onKey, true)
      window?.removeEventListener('blur', check)
      window?.removeEventListener('focus', check)
    },
  }
}

/** Why a page is over: it stopped answering, went elsewhere, said too much, never began, or took the keyboard. */
export type PageEnd = 'hung' | 'left' | 'flooded' | 'unstarted' | 'keyboard'

const beatMs = 1_000
/** So many beats without an answer, and the frame is taken away. */
const patience = { toStart: 20, toAnswer: 6 }
export const patienceMs = patience.toAnswer * beatMs
/** What a page may say between two beats: it is told to say less, so one that says more does not do as it is told. */
const maxSaysABeat = 500

/** Where in a page one came in. */
export interface PageVisit {
  /** What it was asked, and which place was meant. */
  readonly at: PageAddress
  /** Rises whenever a place was gone to, the same one too. */
  readonly step: number
  /** How far each page was scrolled, by its stop; what is told of this one is put there. */
  readonly scrolls: Map<string, PageScroll>
}

/** A page, and what it was asked: other places in it are the same stop. */
export const stopOf = ({ path, query }: PageAddress): string => `${path}${query}`

export interface PageFrameOptions {
  readonly page: FullPage
  readonly visit: PageVisit
  /** Somebody knows that this browser may hang with it. */
  readonly mayHang: boolean
  /** A place is looked for. */
  readonly picking: boolean
  readonly onSays: (says: Exclude<PageMessage, { kind: 'pong' | 'left' | 'scroll' | 'press' }>) => void
  /** A file that it asked for is another one now. */
  readonly onStale: () => void
  readonly onEnd: (why: PageEnd) => void
  /** The frame has no process of its own, and nothing was run yet. */
  readonly onNotApart: () => void
}

/** Runs one page in one frame, for as long as it answers; gives the ref of the frame. Another text is another frame (`key`). */
export function usePageFrame(options: PageFrameOptions): RefObject<HTMLIFrameElement | null> {
  const { page, mayHang, picking } = options
  const { bundle } = page
  const frame = useRef<HTMLIFrameElement>(null)
  const port = useRef<MessagePort>(null)
  const keeper = useRef<KeyboardGuard>(null)
  /** Paths that it asked for, there or not. */
  const asked = useRef(new Set<string>())
  const says = useEffectEvent(options.onSays)
  const end = useEffectEvent(options.onEnd)
  const notApart = useEffectEvent(options.onNotApart)
  const stale = useEffectEvent(options.onStale)
  const toRun = useEffectEvent((): PageToRun => {
    const { at, scrolls } = options.visit
    return { ...at, html: page.html, base: page.base, bundle: page.bundle, scroll: scrolls.get(stopOf(at)) ?? null }
  })
  const scrolled = useEffectEvent((scroll: PageScroll) => options.visit.scrolls.set(stopOf(options.visit.at), scroll))
  const isPicking = useEffectEvent(() => picking)

  useEffect(() => {
    let unanswered = 0
    let said = 0
    let isOver = false
    const over = (why: PageEnd) => {
      if (isOver) return
      isOver = true
      clearInterval(beat)
      end(why)
    }
    const post = (message: PageAsked) => port.current?.postMessage(message)
    const countSaid = () => {
      said += 1
      if (said > maxSaysABeat) over('flooded')
      return !isOver
    }
    const hear = ({ data }: MessageEvent<unknown>) => {
      if (!countSaid()) return
      unanswered = 0
      const heard = readPageMessage(data)
      if (heard?.kind === 'file' && asked.current.size < pageLimits.files) asked.current.add(heard.path)
      if (heard?.kind === 'left') over('left')
      else if (heard?.kind === 'press') keeper.current?.pressed(heard.isSeen)
      else if (heard?.kind === 'scroll') scrolled({ x: heard.x, y: heard.y })
      else if (heard && heard.kind !== 'pong') says(heard)
    }
    const onMessage = (event: MessageEvent<unknown>) => {
      const inside = frame.current?.contentWindow
      if (!inside || event.source !== inside || !countSaid() || port.current) return
      const data = event.data as { readonly type?: unknown; readonly isApart?: unknown } | null
      const [given] = event.ports
      if (data?.type !== 'nod-run-hello' || !given) return
      if (data.isApart !== true && !mayHang) {
        clearInterval(beat)
        return notApart()
      }
      port.current = given
      unanswered = 0
      given.addEventListener('message', hear)
      given.start()
      post({ type: 'page', ...toRun() })
      if (isPicking()) post({ type: 'pick', on: true })
    }
    const beat = setInterval(() => {
      said = 0
      if (document.hidden) return
      unanswered += 1
      if (unanswered > (port.current ? patience.toAnswer : patience.toStart)) {
        over(port.current ? 'hung' : 'unstarted')
      } else post({ type: 'ping' })
    }, beatMs)
    window.addEventListener('message', onMessage)
    if (frame.current) keeper.current = guardKeyboard(frame.current, () => over('keyboard'))
    // The address comes after the listener, or its first word could be missed.
    if (frame.current) frame.current.src = builtFile('/run.html')
    return () => {
      isOver = true
      clearInterval(beat)
      window.removeEventListener('message', onMessage)
      keeper.current?.stop()
      port.current?.close()
      port.current = null
    }
  }, [mayHang])

  // What it did not ask for yet it finds as it is now; what it has seen can't be taken back but by beginning anew.
  const shown = useRef(bundle)
  useEffect(() => {
    const changed = changedIn(shown.current, bundle)
    shown.current = bundle
    if (changed.length === 0) return
    if (changed.some((path) => asked.current.has(path))) stale()
    else port.current?.postMessage({ type: 'bundle', bundle } satisfies PageAsked)
  }, [bundle])

  const { step, at } = options.visit
  const firstStep = useRef(step)
  useEffect(() => {
    if (step === firstStep.current) return
    firstStep.current = step
    port.current?.postMessage({ type: 'hash', hash: at.hash } satisfies PageAsked)
  }, [step, at.hash])

  useEffect(() => {
    port.current?.postMessage({ type: 'pick', on: picking } satisfies PageAsked)
    if (picking) keeper.current?.lend()
  }, [picking])

  return frame
}

import { useEffect, useEffectEvent, useRef, type RefObject, useState } from 'react'
import { builtFile } from '@/lib/base/base-path'
import type { FullPage } from '@/lib/client/files/page/inline-page'
import { pageLimits, changedIn } from '@/lib/client/files/page/page-files'
import {
  readPageMessage,
  type PageAsked,
  type PageMessage,
  type PageScroll,
  type PageToRun,
} from '@/lib/client/files/page/page-messages'
import { guardKeyboard, type KeyboardGuard } from './keyboard-guard'
import { type PageAddress, pageAddress, linkTargetOf } from '@/lib/client/files/page/page-address'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import type { ReadableFiles } from './use-version'

/** Why a page ended: it stopped answering, navigated away, sent too many messages, never started, or took the focus. */
export type PageEnd = 'hung' | 'left' | 'flooded' | 'unstarted' | 'keyboard'

const beatMs = 1_000
/** The number of unanswered heartbeats after which the frame is removed. */
const timeout = { toStart: 20, toAnswer: 6 }
export const patienceMs = timeout.toAnswer * beatMs
/**
 * The most messages between two heartbeats. The frame's script limits them itself, so a page that sends more is
 * bypassing it.
 */
const maxMessagesPerBeat = 500

/** The address at which a page was opened. */
export interface PageVisit {
  /** The page, with its query and fragment. */
  readonly at: PageAddress
  /** Increases with each navigation, even to the same address. */
  readonly step: number
  /** The scroll position of each page by its stop; this page's position is stored there. */
  readonly scrolls: Map<string, PageScroll>
}

/** A page and its query; other fragments of it are the same stop. */
export const stopOf = ({ path, query }: PageAddress): string => `${path}${query}`

export interface PageFrameOptions {
  readonly page: FullPage
  readonly visit: PageVisit
  /** The user confirmed that this browser may hang with it. */
  readonly mayHang: boolean
  /** The user is picking an element. */
  readonly picking: boolean
  readonly onSays: (says: Exclude<PageMessage, { kind: 'pong' | 'left' | 'scroll' | 'press' }>) => void
  /** Called when a file that the page requested has changed. */
  readonly onStale: () => void
  readonly onEnd: (why: PageEnd) => void
  /** Called when the frame has no own process and nothing has run yet. */
  readonly onNotApart: () => void
  /** Called when the page posts a message to its parent. Its content is untrusted. */
  readonly onMessage?: (data: unknown) => void
}

/**
 * Runs one page in one frame as long as it answers; returns the frame's ref. Another text needs another frame (`key`).
 */
export function usePageFrame(options: PageFrameOptions): RefObject<HTMLIFrameElement | null> {
  const { page, mayHang, picking } = options
  const { bundle } = page
  const frame = useRef<HTMLIFrameElement>(null)
  const port = useRef<MessagePort>(null)
  const keeper = useRef<KeyboardGuard>(null)
  /** Paths that it requested, whether they exist or not. */
  const asked = useRef(new Set<string>())
  const says = useEffectEvent(options.onSays)
  const end = useEffectEvent(options.onEnd)
  const notApart = useEffectEvent(options.onNotApart)
  const stale = useEffectEvent(options.onStale)
  const posted = useEffectEvent((data: unknown) => options.onMessage?.(data))
  const toRun = useEffectEvent((): PageToRun => {
    const { at, scrolls } = options.visit
    return { ...at, html: page.html, base: page.base, bundle: page.bundle, scroll: scrolls.get(stopOf(at)) ?? null }
  })
  const scrolled = useEffectEvent((scroll: PageScroll) => options.visit.scrolls.set(stopOf(options.visit.at), scroll))
  const isPicking = useEffectEvent(() => picking)

  useEffect(() => {
    let unanswered = 0
    let reportCount = 0
    let isOver = false
    /** The window that said hello: a frame that the layout moves to another place starts again in a new one. */
    let runsIn: Window | null = null
    const over = (why: PageEnd) => {
      if (isOver) return
      isOver = true
      clearInterval(beat)
      end(why)
    }
    const post = (message: PageAsked) => port.current?.postMessage(message)
    const countMessage = () => {
      reportCount += 1
      if (reportCount > maxMessagesPerBeat) over('flooded')
      return !isOver
    }
    const hear = ({ data }: MessageEvent<unknown>) => {
      if (!countMessage()) return
      unanswered = 0
      const message = readPageMessage(data)
      if (message?.kind === 'file' && asked.current.size < pageLimits.files) asked.current.add(message.path)
      if (message?.kind === 'left') {
        if (frame.current?.contentWindow === runsIn) return over('left')
        port.current?.close()
        port.current = null
        return
      }
      if (message?.kind === 'pong') keeper.current?.answered(message.number)
      else if (message?.kind === 'press') keeper.current?.pressed(message.isSeen)
      else if (message?.kind === 'scroll') scrolled({ x: message.x, y: message.y })
      else if (message) says(message)
    }
    const onMessage = (event: MessageEvent<unknown>) => {
      const inside = frame.current?.contentWindow
      if (!inside || event.source !== inside || !countMessage()) return
      if (port.current) return posted(event.data)
      const data = event.data as { readonly type?: unknown; readonly isApart?: unknown } | null
      const [given] = event.ports
      if (data?.type !== 'nod-run-hello' || !given) return
      if (data.isApart !== true && !mayHang) {
        clearInterval(beat)
        return notApart()
      }
      port.current = given
      runsIn = inside
      unanswered = 0
      given.addEventListener('message', hear)
      given.start()
      post({ type: 'page', ...toRun() })
      if (isPicking()) post({ type: 'pick', on: true })
    }
    const beat = setInterval(() => {
      reportCount = 0
      if (document.hidden) return
      unanswered += 1
      if (unanswered > (port.current ? timeout.toAnswer : timeout.toStart)) {
        over(port.current ? 'hung' : 'unstarted')
      } else post({ type: 'ping', number: 0 })
    }, beatMs)
    window.addEventListener('message', onMessage)
    if (frame.current)
      keeper.current = guardKeyboard(frame.current, {
        onThief: () => over('keyboard'),
        ask: (number) => {
          post({ type: 'ping', number })
          return port.current !== null
        },
      })
    // The address is set after the listener, or its first message could be missed.
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

  // A file that the page has not requested yet can be replaced; one that it has read requires a restart.
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

/** The pages visited through links, and the current one. */
export interface PageTrail {
  readonly at: PageAddress
  /** Increases with each step: the same page again is another stop. */
  readonly step: number
  readonly before: PageAddress | null
  readonly after: PageAddress | null
  readonly go: (to: PageAddress) => void
  readonly back: () => void
  readonly forward: () => void
}

/** The most stops that are remembered. */
const maxStops = 50

/** Starts at the page with this path. */
export function usePageTrail(path: string): PageTrail {
  const [{ stops, index, step }, set] = useState({
    stops: [{ path, query: '', hash: '' }] as readonly PageAddress[],
    index: 0,
    step: 0,
  })
  const [at = { path, query: '', hash: '' }] = stops.slice(index)
  const move = (by: number) =>
    set((now) => ({ ...now, step: now.step + 1, index: Math.max(0, Math.min(now.stops.length - 1, now.index + by)) }))
  return {
    at,
    step,
    before: stops[index - 1] ?? null,
    after: stops[index + 1] ?? null,
    go: (to) =>
      set((now) => {
        const kept = [...now.stops.slice(0, now.index + 1), to].slice(-maxStops)
        return { stops: kept, index: kept.length - 1, step: now.step + 1 }
      }),
    back: () => move(-1),
    forward: () => move(1),
  }
}

/** State that stays while the user moves between pages. */
export interface ArtifactRun {
  /** Scripts may run, because the user pressed Run here or elsewhere. */
  readonly mayRun: boolean
  /** The user confirmed that this browser may hang with a page that never stops. */
  readonly mayHang: boolean
  readonly allow: () => void
  readonly allowHang: () => void
  readonly trail: PageTrail
  readonly scrolls: PageVisit['scrolls']
  /** Opens a file that is not a page. */
  readonly onOpen: (path: string) => void
}

interface PageLinksOptions {
  readonly vfs: ReadableFiles
  /** The path of the shown page. */
  readonly path: string
  /** The base of its relative addresses. */
  readonly base: string
  readonly run: Pick<ArtifactRun, 'trail' | 'scrolls' | 'onOpen'>
  readonly onSay: (words: string) => void
}

/** Handlers for links and forms that a running page reports. */
export interface FollowedLinks {
  readonly link: (address: string) => void
  readonly form: (address: string) => void
}

/** Follows links that a running page reports as pressed, and handles its submitted forms. */
export function usePageLinks({ vfs, path, base, run, onSay }: PageLinksOptions): FollowedLinks {
  const shown = (address: string) => pageAddress(address, base)?.path ?? address
  const lead = async (address: string) => {
    const target = await linkTargetOf(vfs, address, { page: path, base })
    if (target.kind === 'outside') return onSay(t('artifact.link', { address: asUntrusted(address) }))
    const { at } = target
    if (target.kind === 'missing') return onSay(t('artifact.link.missing', { path: asUntrusted(at.path) }))
    if (target.kind === 'file') return run.onOpen(at.path)
    run.scrolls.delete(stopOf(at))
    run.trail.go(at)
  }
  return {
    link: (address) => {
      // A press in a frame counts as user activation of the surrounding page. Without a press, the page's own script
      // did it.
      if (wasPressed()) void lead(address).catch(() => {})
      else onSay(t('artifact.link.unasked', { path: asUntrusted(shown(address)) }))
    },
    form: (address) => onSay(t('artifact.form', { address: asUntrusted(address) })),
  }
}

/** If a browser can't tell, the page is trusted. */
const wasPressed = (): boolean => {
  const { userActivation } = navigator as { readonly userActivation?: UserActivation }
  return userActivation?.isActive ?? true
}

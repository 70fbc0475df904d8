import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { builtFile } from '@/lib/base/base-path'
import type { FullPage } from '@/lib/client/files/page/inline-page'
import type { PageAddress } from '@/lib/client/files/page/page-address'
import { pageLimits, changedIn } from '@/lib/client/files/page/page-files'
import {
  readPageMessage,
  type PageAsked,
  type PageMessage,
  type PageScroll,
  type PageToRun,
} from '@/lib/client/files/page/page-messages'
import { guardKeyboard, type KeyboardGuard } from './keyboard-guard'

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
  /** Someone knows that this browser may hang with it. */
  readonly mayHang: boolean
  /** A place is looked for. */
  readonly picking: boolean
  readonly onSays: (says: Exclude<PageMessage, { kind: 'pong' | 'left' | 'scroll' | 'press' }>) => void
  /** A file that it asked for is another one now. */
  readonly onStale: () => void
  readonly onEnd: (why: PageEnd) => void
  /** The frame has no process of its own, and nothing was run yet. */
  readonly onNotApart: () => void
  /** Its page posted a message to the page around it. Whatever it says is the page's word. */
  readonly onMessage?: (data: unknown) => void
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
  const posted = useEffectEvent((data: unknown) => options.onMessage?.(data))
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
      else if (heard?.kind === 'pong') keeper.current?.answered(heard.number)
      else if (heard?.kind === 'press') keeper.current?.pressed(heard.isSeen)
      else if (heard?.kind === 'scroll') scrolled({ x: heard.x, y: heard.y })
      else if (heard) says(heard)
    }
    const onMessage = (event: MessageEvent<unknown>) => {
      const inside = frame.current?.contentWindow
      if (!inside || event.source !== inside || !countSaid()) return
      if (port.current) return posted(event.data)
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

  // What it did not ask for yet it finds as it is now; what it has seen can't be taken back but by beginning again.
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

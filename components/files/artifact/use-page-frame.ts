import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { builtFile } from '@/lib/base/base-path'
import { readPageSays, type PageAsked, type PageSays } from '@/lib/workspace/page/page-says'

/** Why a page is over: it stopped answering, went elsewhere, said too much, or never began. */
export type PageEnd = 'hung' | 'left' | 'flooded' | 'unstarted'

const beatMs = 1_000
/** So many beats without an answer, and the frame is taken away. */
const patience = { toStart: 20, toAnswer: 6 }
export const patienceMs = patience.toAnswer * beatMs
/** What a page may say between two beats: it is told to say less, so one that says more does not do as it is told. */
const maxSaysABeat = 500

export interface PageFrameOptions {
  readonly html: string
  /** Somebody knows that this browser may hang with it. */
  readonly mayHang: boolean
  /** A place is looked for. */
  readonly picking: boolean
  readonly onSays: (says: Exclude<PageSays, { kind: 'pong' | 'left' }>) => void
  readonly onEnd: (why: PageEnd) => void
  /** The frame has no process of its own, and nothing was run yet. */
  readonly onNotApart: () => void
}

/** Runs one page in one frame, for as long as it answers; gives the ref of the frame. */
export function usePageFrame(options: PageFrameOptions): RefObject<HTMLIFrameElement | null> {
  const { html, mayHang, picking } = options
  const frame = useRef<HTMLIFrameElement>(null)
  const port = useRef<MessagePort>(null)
  const says = useEffectEvent(options.onSays)
  const end = useEffectEvent(options.onEnd)
  const notApart = useEffectEvent(options.onNotApart)
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
      const heard = readPageSays(data)
      if (heard?.kind === 'left') over('left')
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
      post({ type: 'page', html })
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
    // The address comes after the listener, or its first word could be missed.
    if (frame.current) frame.current.src = builtFile('/run.html')
    return () => {
      isOver = true
      clearInterval(beat)
      window.removeEventListener('message', onMessage)
      port.current?.close()
      port.current = null
    }
  }, [html, mayHang])

  useEffect(() => {
    port.current?.postMessage({ type: 'pick', on: picking } satisfies PageAsked)
    if (picking) frame.current?.focus()
  }, [picking])

  return frame
}

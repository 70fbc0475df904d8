'use client'

import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { builtFile } from '@/lib/base/base-path'
import { SentenceText } from '../text/foreign-text'
import {
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type CSSProperties,
  type Ref,
  type ReactNode,
  useMemo,
} from 'react'
import { frameHung } from '@/lib/base/app-error'
import { t } from '@/lib/i18n/t'
import { recipe } from '../recipes/recipe'
import { TextButton } from '../controls/button'
import { useInView } from './use-in-view'
import { measureMarkup, mostCost, type MarkupCost } from './measure-markup'

/** A sentence in place of foreign content. */
export const ForeignSentence = ({ role, children }: { readonly role?: 'status'; readonly children: ReactNode }) => (
  <p className="px-3.5 py-3 text-sm text-muted" role={role}>
    {children}
  </p>
)

export type Markup = { readonly kind: 'html'; readonly text: string } | { readonly kind: 'svg'; readonly text: string }

export interface SealedFrameHandle {
  /** The picture as PNG, drawn in the frame; null if it is not shown, or can't be drawn in time. */
  readonly png: () => Promise<Blob | null>
}

export interface SealedFrameProps {
  readonly label: string
  readonly markup: Markup
  /** `content`: as high as its content, up to a limit; `fill`: as high as its container. */
  readonly height: 'content' | 'fill'
  /** The expected height until the content reports its own; pixels. */
  readonly expectedHeight?: number | null
  readonly handle?: Ref<SealedFrameHandle>
  /** The size that the picture reports once it is drawn. */
  readonly onSize?: (size: { readonly width: number; readonly height: number }) => void
}

const firstHeightPx = 48
const maxHeightPx = 640
const beatMs = 2_500
/** The number of unanswered heartbeats after which the frame is removed. */
const timeout = { toStart: 8, toAnswer: 4 }
const pngDeadlineMs = 15_000

const slots = createFrameSlots(12)

const around = recipe('wrap-anywhere', {
  height: { fill: 'flex h-full min-h-0 flex-1', content: '' },
  // A picture inside text has a margin; a page does not.
  isPicture: { on: 'mx-3.5 my-3' },
})
const framed = recipe('block w-full bg-paper scheme-light', {
  height: { fill: 'h-full', content: '' },
  isPicture: { on: 'max-w-full rounded-sm outline outline-line' },
})

const isInText = ({ height, markup }: Pick<SealedFrameProps, 'height' | 'markup'>) =>
  height === 'content' && markup.kind === 'svg'

const clamped = (height: number) => Math.min(Math.max(Math.ceil(height), firstHeightPx), maxHeightPx)

/**
 * Foreign HTML or SVG in its own frame: an opaque origin in another process, without network, scripts, forms or windows
 * (ensured by `/show.html` and its headers). It exists only while in view, as one of a few, and is removed when it
 * stops answering, so that no content can block the page.
 */
export function SealedFrame(props: SealedFrameProps) {
  // A frame shows one text only; another text needs another frame.
  return <SealedFrameSlot key={props.markup.text} {...props} />
}

function SealedFrameSlot(props: SealedFrameProps) {
  const { label, height, expectedHeight } = props
  const place = useRef<HTMLDivElement>(null)
  const inView = useInView(place)
  const slot = useRef<ReturnType<typeof slots.take>>(null)
  const [turn, setTurn] = useState<'none' | 'waits' | 'live'>('none')
  const [over, setOver] = useState<'stopped' | 'broken' | null>(null)
  const [heightPx, setHeightPx] = useState(expectedHeight == null ? firstHeightPx : clamped(expectedHeight))
  useEffect(() => {
    if (!inView || over !== null) return
    const mine = slots.take({ grant: () => setTurn('live'), wait: () => setTurn('waits') })
    slot.current = mine
    return () => {
      mine.giveBack()
      setTurn('none')
    }
  }, [inView, over])
  const end = (how: 'stopped' | 'broken') => {
    setOver(how)
    if (how === 'stopped') window.dispatchEvent(new Event(frameHung))
  }
  const style: CSSProperties | undefined = height === 'content' && over === null ? { minHeight: heightPx } : undefined
  return (
    <div ref={place} className={around({ height, isPicture: isInText(props) })} style={style}>
      {turn === 'live' ? <Frame {...props} heightPx={heightPx} onHeight={setHeightPx} onEnd={end} /> : null}
      {turn === 'waits' ? (
        <ForeignSentence>
          <SentenceText text={t('view.waits', { label })} />{' '}
          <TextButton onClick={() => slot.current?.insist()}>{t('view.show')}</TextButton>
        </ForeignSentence>
      ) : null}
      {over === 'stopped' ? (
        <ForeignSentence role="status">
          <SentenceText text={t('view.stopped', { label })} />{' '}
          <TextButton onClick={() => setOver(null)}>{t('view.again')}</TextButton>
        </ForeignSentence>
      ) : null}
      {over === 'broken' ? <ForeignSentence role="status">{t('view.broken')}</ForeignSentence> : null}
    </div>
  )
}

interface FrameProps extends SealedFrameProps {
  readonly heightPx: number
  readonly onHeight: (heightPx: number) => void
  readonly onEnd: (how: 'stopped' | 'broken') => void
}

function Frame({ label, markup, height, handle, heightPx, onHeight, onEnd, onSize }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const waitsForPng = useRef(new Set<(blob: Blob | null) => void>())
  const [widthPx, setWidthPx] = useState<number | null>(null)
  const handlers = useRef({ onHeight, onEnd, onSize })
  useEffect(() => {
    handlers.current = { onHeight, onEnd, onSize }
  })

  useEffect(() => {
    const waiting = waitsForPng.current
    let unanswered = 0
    let hasStarted = false
    let beats = 0
    // An opaque origin can only be addressed with `*`; the message contains only the frame's own data.
    const post = (message: object) => frame.current?.contentWindow?.postMessage(message, '*')
    const onMessage = (event: MessageEvent) => {
      const inside = frame.current?.contentWindow
      if (!inside || event.source !== inside) return
      const data: unknown = event.data
      if (typeof data !== 'object' || data === null) return
      const { type, height: asked, width, ownHeight, bytes } = data as Readonly<Record<string, unknown>>
      unanswered = 0
      if (type === 'nod-show-hello') {
        hasStarted = true
        post({ type: 'nod-show', [markup.kind]: markup.text, isCentred: height === 'fill' })
      } else if (type === 'nod-show-size' && typeof asked === 'number') {
        handlers.current.onHeight(clamped(Number.isFinite(asked) ? asked : maxHeightPx))
        if (typeof width !== 'number' || typeof ownHeight !== 'number' || !(width > 0)) return
        setWidthPx(Math.ceil(width))
        handlers.current.onSize?.({ width, height: ownHeight })
      } else if (type === 'nod-show-broken') handlers.current.onEnd('broken')
      else if (type === 'nod-show-png') {
        const blob = bytes instanceof ArrayBuffer ? new Blob([bytes], { type: 'image/png' }) : null
        for (const give of waiting) give(blob)
        waiting.clear()
      }
    }
    const beat = setInterval(() => {
      if (document.hidden) return
      unanswered++
      if (unanswered > (hasStarted ? timeout.toAnswer : timeout.toStart)) {
        clearInterval(beat)
        handlers.current.onEnd('stopped')
      } else if (hasStarted) post({ type: 'nod-show-ping', n: ++beats })
    }, beatMs)
    window.addEventListener('message', onMessage)
    // The address is set after the listener, or its first message could be missed.
    if (frame.current) frame.current.src = builtFile('/show.html')
    return () => {
      clearInterval(beat)
      window.removeEventListener('message', onMessage)
      for (const give of waiting) give(null)
      waiting.clear()
    }
  }, [markup, height])

  useImperativeHandle(handle, () => ({
    png: () =>
      new Promise<Blob | null>((resolve) => {
        const late = setTimeout(() => resolve(null), pngDeadlineMs)
        waitsForPng.current.add((blob) => {
          clearTimeout(late)
          resolve(blob)
        })
        frame.current?.contentWindow?.postMessage({ type: 'nod-show-png' }, '*')
      }),
  }))

  return (
    <iframe
      ref={frame}
      title={labelOf(label)}
      className={framed({ height, isPicture: isInText({ height, markup }) })}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      style={height === 'content' ? { height: heightPx, ...(widthPx !== null && { width: widthPx }) } : undefined}
    />
  )
}

interface FrameSlots {
  /**
   * Requests a slot; `grant` is called immediately or when one is free, in request order. `wait` is called if there is
   * none, or none any longer. `giveBack` on the result returns the slot or withdraws the request.
   */
  take(holder: { readonly grant: () => void; readonly wait: () => void }): {
    readonly giveBack: () => void
    /** Takes the slot of the holder that has had one the longest. */
    readonly insist: () => void
  }
}

/** The most frames at once: each costs a document, and a display may contain fifty. */
export function createFrameSlots(most: number): FrameSlots {
  type Holder = Parameters<FrameSlots['take']>[0]
  const live = new Set<Holder>()
  const waiting = new Set<Holder>()
  const admit = (holder: Holder) => {
    waiting.delete(holder)
    live.add(holder)
    holder.grant()
  }
  const next = () => {
    const [first] = waiting
    if (first && live.size < most) admit(first)
  }
  return {
    take(holder) {
      waiting.add(holder)
      if (live.size < most) next()
      else holder.wait()
      return {
        giveBack() {
          waiting.delete(holder)
          if (live.delete(holder)) next()
        },
        insist() {
          if (!waiting.has(holder)) return
          const [oldest] = live
          if (oldest && live.size >= most) {
            live.delete(oldest)
            waiting.add(oldest)
            oldest.wait()
          }
          admit(holder)
        },
      }
    },
  }
}

/** Longer texts are not even measured before the user asks for them. */
const maxCharacters = 600_000
const maxCost = 60_000

const names = { svg: 'SVG', html: 'HTML' } as const

/** Why it is drawn on a click only, as a sentence; null if it is drawn immediately. */
function heavyWords(text: string, { cost, risk }: Pick<MarkupCost, 'cost' | 'risk'>): string | null {
  if (text.length > maxCharacters) return t('view.heavy.long')
  if (cost >= mostCost) return t('view.heavy.most')
  if (cost > maxCost) return t('view.heavy.parts', { parts: cost })
  return risk === null ? null : t(`view.heavy.${risk}`)
}

const unmeasured: MarkupCost = { cost: 0, risk: null, width: null, height: null }

/** Whether drawing it costs more than a page should spend without asking. */
export const isHeavyMarkup = (text: string): boolean => heavyWords(text, measureMarkup(text)) !== null

interface Props extends Omit<SealedFrameProps, 'expectedHeight'> {
  /** Its frame draws it without a question: only for content that was drawn before within a time limit. */
  readonly atOnce?: boolean
}

/** Foreign HTML or SVG in its frame: drawn immediately if that is cheap, otherwise on request. */
export function ForeignMarkup({ atOnce = false, ...props }: Props) {
  const { kind, text } = props.markup
  const measured = useMemo(() => (text.length > maxCharacters ? unmeasured : measureMarkup(text)), [text])
  const why = heavyWords(text, measured)
  const [wanted, setWanted] = useState<string | null>(null)
  if (why !== null && !atOnce && wanted !== text) {
    return (
      <ForeignSentence>
        <SentenceText text={t('view.heavy', { label: props.label, format: names[kind], size: text.length, why })} />{' '}
        <TextButton onClick={() => setWanted(text)}>{t('view.draw')}</TextButton>
      </ForeignSentence>
    )
  }
  return <SealedFrame {...props} expectedHeight={kind === 'svg' ? measured.height : null} />
}

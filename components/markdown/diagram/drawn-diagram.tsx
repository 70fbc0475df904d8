'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import { downloadBlob } from '@/components/ui/data/download-blob'
import DisplaySvg from '@/components/ui/data/display-svg'
import { isHeavyMarkup } from '@/components/ui/foreign/sealed-frame'
import { useInView } from '@/components/ui/foreign/use-in-view'
import { useDark } from '@/components/ui/page/use-dark'
import { note } from '@/components/ui/recipes/surface'
import { TextButton } from '@/components/ui/controls/button'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import {
  type DiagramAnswer,
  type DrawnDiagram,
  createDiagramQueue,
  type DiagramFrame,
  diagramLimits,
} from './diagram-queue'
import { DiagramSource, type DiagramProps } from './diagram-source'
import { builtFile } from '@/lib/base/base-path'

/** Invisible but laid out, because the drawing measures text. */
function openFrame(hear: (data: unknown) => void): DiagramFrame {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.referrerPolicy = 'no-referrer'
  frame.style.cssText =
    'position:fixed;inset-block-start:0;inset-inline-start:-10000px;width:1000px;height:800px;border:0;pointer-events:none'
  const onMessage = (event: MessageEvent) => {
    if (frame.contentWindow !== null && event.source === frame.contentWindow) hear(event.data)
  }
  window.addEventListener('message', onMessage)
  document.body.append(frame)
  // The address is set after the listener, or its first message could be missed.
  frame.src = builtFile('/diagram.html')
  return {
    // An opaque origin can only be addressed with `*`; the message contains only the frame's own data.
    post: (message) => frame.contentWindow?.postMessage(message, '*'),
    remove() {
      window.removeEventListener('message', onMessage)
      frame.remove()
    },
  }
}

const queue = createDiagramQueue({
  open: openFrame,
  schedule(task, ms) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
})

/** The number of cached drawings; scrolling shows them again and again. */
const maxKept = 40
const kept = new Map<string, DiagramAnswer>()
const keyOf = (text: string, dark: boolean) => `${dark ? 'dark' : 'light'} ${text}`

const cachedDiagram = (text: string, dark: boolean): DiagramAnswer | null => kept.get(keyOf(text, dark)) ?? null

/** Draws each diagram once per page. `onAnswer` is called once, unless the returned function was called before. */
function drawDiagram(text: string, dark: boolean, onAnswer: (answer: DiagramAnswer) => void): () => void {
  return queue.draw(text, dark, (answer) => {
    // A diagram that hung is not retried by itself; a loading error is, because it may pass.
    if (answer.kind !== 'not-loaded') kept.set(keyOf(text, dark), answer)
    for (const [oldest] of kept) {
      if (kept.size <= maxKept) break
      kept.delete(oldest)
    }
    onAnswer(answer)
  })
}

const forgetDiagram = (text: string, dark: boolean): void => void kept.delete(keyOf(text, dark))

/** Sharp on dense screens; nobody needs a larger picture. */
const scale = 2
const maxSidePx = 4_096

/** A shown picture as PNG on its background; null if the browser does not give its pixels. */
async function pictureAsPng(image: HTMLImageElement, paper: string): Promise<Blob | null> {
  const { naturalWidth: width, naturalHeight: height } = image
  const factor = Math.min(scale, maxSidePx / Math.max(width, height, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * factor))
  canvas.height = Math.max(1, Math.round(height * factor))
  const context = canvas.getContext('2d')
  if (!context) return null
  context.fillStyle = paper
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  try {
    return await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  } catch {
    // Pictures with foreign objects taint the canvas.
    return null
  }
}

/**
 * A diagram as a picture, drawn near the viewport. Its source is in a collapsible section, or shown if it can't be
 * drawn.
 */
export default function DrawnDiagramPart({ source }: DiagramProps) {
  const dark = useDark()
  const place = useRef<HTMLDivElement>(null)
  const inView = useInView(place)
  const [, drawAgain] = useState(0)
  const isLong = source.length > diagramLimits.chars
  const known = cachedDiagram(source, dark)
  const [unloaded, setUnloaded] = useState(false)
  const answer: DiagramAnswer | null = known ?? (unloaded ? { kind: 'not-loaded' } : null)
  const waits = answer === null && !isLong
  useEffect(() => {
    if (!waits || !inView) return
    return drawDiagram(source, dark, ({ kind }) => {
      setUnloaded(kind === 'not-loaded')
      drawAgain((times) => times + 1)
    })
  }, [waits, inView, source, dark])
  const again = () => {
    forgetDiagram(source, dark)
    setUnloaded(false)
    drawAgain((times) => times + 1)
  }

  if (answer?.kind === 'drawn') {
    return (
      // The same element as while waiting, because it is observed, also for the other color scheme.
      <div ref={place}>
        <Picture key={dark ? 'dark' : 'light'} drawn={answer} name={diagramName(source)} source={source} dark={dark} />
      </div>
    )
  }
  const chars = source.length
  const problem = isLong ? t('reading.diagram.too-long', { chars }) : answer ? problemText(answer) : null
  return (
    <div ref={place} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className={note()} role={problem === null ? undefined : 'status'}>
        {problem ?? t('reading.diagram.waits')}{' '}
        {answer?.kind === 'late' || answer?.kind === 'not-loaded' ? (
          <TextButton onClick={again}>{t('reading.diagram.again')}</TextButton>
        ) : null}
      </p>
      <DiagramSource source={source} />
    </div>
  )
}

function problemText(answer: Exclude<DiagramAnswer, { kind: 'drawn' }>): string {
  switch (answer.kind) {
    case 'failed': {
      const [line = ''] = answer.why.trim().split('\n')
      return line === ''
        ? t('reading.diagram.unreadable')
        : t('reading.diagram.failed', { why: visibleText(answer.why.trim(), 'name') })
    }
    case 'late':
      return t('reading.diagram.late', { seconds: diagramLimits.drawMs / 1_000 })
    case 'large':
      return t('reading.diagram.large')
    case 'not-loaded':
      return t('reading.diagram.not-loaded')
  }
}

interface PictureProps {
  readonly drawn: DrawnDiagram
  readonly name: string
  readonly source: string
  readonly dark: boolean
}

/** Small pictures are not enlarged. Wide ones scroll instead of becoming too small to read. */
const minScale = 0.6

function Picture({ drawn, name, source, dark }: PictureProps) {
  const { svg, width, height, paintMs } = drawn
  const image = useRef<HTMLImageElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [noPng, setNoPng] = useState(false)
  const blob = useMemo(() => new Blob([svg], { type: 'image/svg+xml' }), [svg])
  // Painted in a frame, but immediately: the frame that drew it has shown that it can be painted in time.
  const isHeavy = useMemo(() => paintMs > diagramLimits.paintMs || isHeavyMarkup(svg), [svg, paintMs])
  useEffect(() => {
    const shown = image.current
    if (!shown) return
    const isWide = width * minScale > 640
    shown.style.maxWidth = isWide ? 'none' : '100%'
    shown.style.width = isWide ? `${width * minScale}px` : 'auto'
    const address = URL.createObjectURL(blob)
    shown.src = address
    return () => URL.revokeObjectURL(address)
  }, [width, blob])
  const savePng = async () => {
    const png = image.current && (await pictureAsPng(image.current, dark ? '#201f1c' : '#ffffff'))
    setNoPng(!png)
    if (png) downloadBlob('diagram.png', png)
  }
  return (
    <figure className="overflow-clip rounded-lg border border-line">
      {isHeavy ? (
        <DisplaySvg label={name} svg={svg} atOnce />
      ) : (
        <div className="flex max-h-[80vh] overflow-auto p-3.5" tabIndex={0} role="group" aria-label={name}>
          <picture className="m-auto">
            <img ref={image} alt={name} width={Math.ceil(width)} height={Math.ceil(height)} className="h-auto" />
          </picture>
        </div>
      )}
      <figcaption className="flex flex-wrap gap-x-3 border-t border-line px-3.5 py-1 text-sm">
        <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('reading.diagram.source')}
        </TextButton>
        {isHeavy ? null : (
          <>
            <TextButton onClick={() => downloadBlob('diagram.svg', blob)}>{t('reading.diagram.svg')}</TextButton>
            {noPng ? (
              <span role="status">{t('reading.diagram.no-png')}</span>
            ) : (
              <TextButton onClick={() => void savePng()}>{t('reading.diagram.png')}</TextButton>
            )}
          </>
        )}
      </figcaption>
      {isOpen ? (
        <div className="p-2">
          <DiagramSource source={source} />
        </div>
      ) : null}
    </figure>
  )
}

/** The diagram's accessible name: its kind from the source, and its title if it has one. */
export function diagramName(source: string): string {
  const front = /^\s*---\s*\n([^]*?)\n\s*---\s*\n/.exec(source)
  const body = source.slice(front?.[0].length ?? 0).replace(/%%[^\n]*(?:\n|$)/g, '')
  const kind = /^\s*([A-Za-z][\w-]*)/.exec(body)?.[1] ?? 'mermaid'
  const written = /^\s*(?:pie[ \t]+(?:showData[ \t]+)?)?title:?[ \t]+(\S[^\n]*)$/m
  const title = (written.exec(front?.[1] ?? '') ?? written.exec(body))?.[1]?.trim() ?? ''
  const shown = visibleText(kind, 'name').slice(0, 40)
  return title === ''
    ? t('reading.diagram.named', { kind: shown })
    : t('reading.diagram.titled', { kind: shown, title: visibleText(title, 'name').slice(0, 120) })
}

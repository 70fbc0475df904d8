'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import { downloadBlob } from '@/components/ui/download-blob'
import DisplaySvg from '@/components/ui/display-svg'
import { isHeavyMarkup } from '@/components/ui/foreign/foreign-markup'
import { useInView } from '@/components/ui/foreign/use-in-view'
import { note } from '@/components/ui/recipes/note'
import { TextButton } from '@/components/ui/text-button'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { t } from '@/lib/i18n/t'
import type { DiagramAnswer, DrawnDiagram } from './diagram-desk'
import { diagramLimits } from './diagram-limits'
import { diagramName } from './diagram-name'
import { DiagramSource, type DiagramProps } from './diagram-source'
import { drawDiagram, forgetDiagram, keptDiagram } from './page-desk'
import { pictureAsPng } from './picture-png'
import { useDark } from './use-dark'

/** A diagram as a picture, drawn while it is near the view. Its source is in a fold, or stands there where it can't be drawn. */
export default function DrawnDiagramPart({ source }: DiagramProps) {
  const dark = useDark()
  const place = useRef<HTMLDivElement>(null)
  const inView = useInView(place)
  const [, drawAgain] = useState(0)
  const isLong = source.length > diagramLimits.chars
  const known = keptDiagram(source, dark)
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
      // The same element as while it waits: it is what is watched, also for the other scheme.
      <div ref={place}>
        <Picture key={dark ? 'dark' : 'light'} drawn={answer} name={diagramName(source)} source={source} dark={dark} />
      </div>
    )
  }
  const chars = source.length
  const problem = isLong ? t('reading.diagram.too-long', { chars }) : answer ? problemWords(answer) : null
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

function problemWords(answer: Exclude<DiagramAnswer, { kind: 'drawn' }>): string {
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

/** Small pictures are not blown up; what is wide scrolls rather than to become too small to read. */
const leastScale = 0.6

function Picture({ drawn, name, source, dark }: PictureProps) {
  const { svg, width, height, paintMs } = drawn
  const image = useRef<HTMLImageElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [noPng, setNoPng] = useState(false)
  const blob = useMemo(() => new Blob([svg], { type: 'image/svg+xml' }), [svg])
  // Away from the page, but at once: the frame that drew it has shown that it can be drawn in time.
  const isHeavy = useMemo(() => paintMs > diagramLimits.paintMs || isHeavyMarkup(svg), [svg, paintMs])
  useEffect(() => {
    const shown = image.current
    if (!shown) return
    const isWide = width * leastScale > 640
    shown.style.maxWidth = isWide ? 'none' : '100%'
    shown.style.width = isWide ? `${width * leastScale}px` : 'auto'
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

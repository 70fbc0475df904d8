import { Suspense, lazy } from 'react'
import { CutText } from './cut-text'
import { JsonTree } from './json-tree'
import type { JsonValue } from '@/lib/base/json'

const DisplayTable = lazy(() => import('./display-table'))
const DisplayHtml = lazy(() => import('./display-html'))
const DisplaySvg = lazy(() => import('./display-svg'))
const PictureDownloads = lazy(() => import('./picture-downloads'))

export interface DisplayViewProps {
  readonly kind: string
  readonly data: string
  /** What the code called it; also the name of its downloads. */
  readonly name?: string | undefined
  /** Its place among the displays of a run, from 1. */
  readonly number: number
}

const imageUrl = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,/

/**
 * What a run displayed. Foreign content: images only as image elements from data URLs; SVG and HTML are drawn in a sealed
 * frame, in another process, and only while they are in view.
 */
export function DisplayView({ kind, data, name, number }: DisplayViewProps) {
  const label = name ?? `Display ${number}`
  if (kind === 'image' && imageUrl.test(data)) return <Shown source={data} label={label} />
  const source = <CutText label={label} text={data} {...(kind === 'html' && { language: 'html' })} />
  if (kind === 'svg') {
    return (
      <Suspense fallback={<p className="note-line inset">Loading the picture …</p>}>
        <DisplaySvg label={label} svg={data} />
      </Suspense>
    )
  }
  if (kind === 'html') {
    return (
      <Suspense fallback={source}>
        <DisplayHtml label={label} html={data} />
      </Suspense>
    )
  }
  if (kind === 'table') {
    return (
      <Suspense fallback={source}>
        <DisplayTable label={label} data={data} />
      </Suspense>
    )
  }
  if (kind === 'json') {
    const value = parsed(data)
    if (value !== undefined) return <JsonTree label={label} value={value} />
  }
  return source
}

/** The data is in the page already, so there is nothing for an image service to fetch or shrink. */
function Shown({ source, label }: { source: string; label: string }) {
  return (
    <>
      <picture>
        <img className="shown" src={source} alt={label} />
      </picture>
      <Suspense fallback={<p className="shown-do" />}>
        <PictureDownloads name={label} picture={{ kind: 'raster', dataUrl: source }} />
      </Suspense>
    </>
  )
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

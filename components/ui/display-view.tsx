import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { Suspense, lazy } from 'react'
import { CodeBlock } from './code-block'
import { JsonTree } from './json-tree'
import type { JsonValue } from '@/lib/base/json'

const DisplayTable = lazy(() => import('./display-table'))
const DisplayHtml = lazy(() => import('./display-html'))
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
 * What a run displayed. Foreign content: images only as image elements from data URLs, SVG as an image (so that nothing
 * in it runs or loads), HTML in a sealed frame.
 */
export function DisplayView({ kind, data, name, number }: DisplayViewProps) {
  const label = name ?? `Display ${number}`
  if (kind === 'image' && imageUrl.test(data)) return <Shown source={data} label={label} svg={null} />
  if (kind === 'svg') {
    return <Shown source={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(data)}`} label={label} svg={data} />
  }
  const source = (
    <CodeBlock label={label} text={data} numbered={false} {...(kind === 'html' ? { language: 'html' } : {})} />
  )
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
function Shown({ source, label, svg }: { source: string; label: string; svg: string | null }) {
  return (
    <>
      <picture>
        <img className="shown" src={source} alt={visibleText(label, 'prose')} />
      </picture>
      <Suspense fallback={<p className="shown-do" />}>
        <PictureDownloads source={source} name={label} svg={svg} />
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

import { CodeBlock } from './code-block'
import { JsonTree } from './json-tree'
import type { JsonValue } from '@/lib/base/json'

const imageUrl = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,/

/**
 * What a run displayed. Foreign content: images only as image elements from data URLs, SVG as an image (so that nothing
 * in it runs or loads), HTML as its source.
 */
export function DisplayView({ kind, data, number }: { kind: string; data: string; number: number }) {
  const label = `Display ${number}`
  if (kind === 'image' && imageUrl.test(data)) return <Shown source={data} label={label} />
  if (kind === 'svg') {
    return <Shown source={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(data)}`} label={label} />
  }
  if (kind === 'json') {
    const value = parsed(data)
    if (value !== undefined) return <JsonTree label={label} value={value} />
  }
  return <CodeBlock label={label} text={data} numbered={false} {...(kind === 'html' ? { language: 'html' } : {})} />
}

/** The data is in the page already, so there is nothing for an image service to fetch or shrink. */
function Shown({ source, label }: { source: string; label: string }) {
  return (
    <picture>
      <img className="shown" src={source} alt={label} />
    </picture>
  )
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

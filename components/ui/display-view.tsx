import { lazyPart } from '@/components/ui/lazy-part'
import { CodeBlock } from './code-block'
import { JsonTree } from './json-tree'
import type { JsonValue } from '@/lib/base/json'

const DisplayTable = lazyPart(() => import('./display-table'), {
  what: 'The table',
  loading: (props) => <Source label={props.label} text={props.data} />,
  plain: (props) => <Source label={props.label} text={props.data} />,
})
const DisplayHtml = lazyPart(() => import('./display-html'), {
  what: 'The page',
  loading: (props) => <Source label={props.label} text={props.html} isHtml />,
  plain: (props) => <Source label={props.label} text={props.html} isHtml />,
})
const PictureDownloads = lazyPart(() => import('./picture-downloads'), {
  what: 'Saving the picture',
  loading: <p className="shown-do" />,
  look: 'line',
})

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
  if (kind === 'html') {
    return <DisplayHtml label={label} html={data} />
  }
  if (kind === 'table') {
    return <DisplayTable label={label} data={data} />
  }
  if (kind === 'json') {
    const value = parsed(data)
    if (value !== undefined) return <JsonTree label={label} value={value} />
  }
  return <Source label={label} text={data} />
}

/** The data is in the page already, so there is nothing for an image service to fetch or shrink. */
function Shown({ source, label, svg }: { source: string; label: string; svg: string | null }) {
  return (
    <>
      <picture>
        <img className="shown" src={source} alt={label} />
      </picture>
      <PictureDownloads source={source} name={label} svg={svg} />
    </>
  )
}

/** As it came, where its view is not there. */
function Source({ label, text, isHtml = false }: { label: string; text: string; isHtml?: boolean }) {
  return <CodeBlock label={label} text={text} numbered={false} {...(isHtml ? { language: 'html' } : {})} />
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

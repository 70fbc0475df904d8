import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { lazyPart } from '../page/lazy-part'
import { CutText } from './data-table'
import { JsonTree } from '../code/json-tree'
import { note, shownDo } from '../recipes/surface'
import type { JsonValue } from '@/lib/base/json'

const DisplayTable = lazyPart(() => import('./display-table'), {
  what: () => t('view.part-table'),
  loading: (props) => <CutText label={props.label} text={props.data} />,
  plain: (props) => <CutText label={props.label} text={props.data} />,
})
const DisplayHtml = lazyPart(() => import('./display-html'), {
  what: () => t('view.part-page'),
  loading: (props) => <CutText label={props.label} text={props.html} language="html" />,
  plain: (props) => <CutText label={props.label} text={props.html} language="html" />,
})
const DisplayAudio = lazyPart(() => import('./display-audio'), { what: () => t('view.part-audio') })
const DisplaySvg = lazyPart(() => import('./display-svg'), {
  what: () => t('view.part-picture'),
  loading: () => <p className={note({ place: 'inset' })}>{t('view.loading-picture')}</p>,
  plain: (props) => <CutText label={props.label} text={props.svg} />,
})
const PictureDownloads = lazyPart(() => import('./picture-downloads'), {
  what: () => t('view.part-saving'),
  loading: <p className={shownDo()} />,
  look: 'line',
})

export interface DisplayViewProps {
  readonly kind: string
  readonly data: string
  /** The name given by the code; also used for its downloads. */
  readonly name?: string | undefined
  /** Its number among a run's displays, from 1. */
  readonly number: number
  /** Attaches a raster picture to the next message; left out if there is none. */
  readonly onAttach?: ((file: File) => void) | undefined
}

type AttachPicture = DisplayViewProps['onAttach']

const audioUrl = /^data:audio\/[\w.+-]+;base64,[A-Za-z\d+/=]*$/
const imageUrl = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,/

/**
 * What a run displayed. Untrusted content: images only as image elements from data URLs; SVG and HTML are drawn in a
 * sealed frame, in another process, and only while in view.
 */
export function DisplayView({ kind, data, name, number, onAttach }: DisplayViewProps) {
  // The code's name for it is not app text.
  const label = name === undefined ? t('view.display', { number }) : asUntrusted(name)
  if (kind === 'image' && imageUrl.test(data)) return <Shown source={data} label={label} onAttach={onAttach} />
  if (kind === 'svg') return <DisplaySvg label={label} svg={data} onAttach={onAttach} />
  if (kind === 'audio' && audioUrl.test(data)) return <DisplayAudio label={label} source={data} />
  if (kind === 'app') return <p className={note({ place: 'inset' })}>{t('view.app')}</p>
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
  return <CutText label={label} text={data} />
}

/** The data is already in the page, so an image service has nothing to fetch or shrink. */
function Shown({ source, label, onAttach }: { source: string; label: string; onAttach: AttachPicture }) {
  return (
    <>
      <picture className="block">
        <img
          className="mx-3.5 my-3 block max-h-128 w-auto max-w-[calc(100%-1.75rem)] rounded-sm border border-line bg-paper"
          src={source}
          alt={labelOf(label)}
        />
      </picture>
      <PictureDownloads name={label} picture={{ kind: 'raster', dataUrl: source }} onAttach={onAttach} />
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

import { formatValue } from './format-value'
import type { DisplayKind } from './protocol'
import { fitsJson } from './result-value'
import { isTableLike, toTable } from './to-table'

export interface Shown {
  readonly kind: DisplayKind
  readonly data: string
}

/** The browser's parts that a display needs; in a worker these are the globals. */
export interface DisplayPorts {
  /** Base64 data URL of a blob. */
  readonly toDataUrl: (blob: Blob) => Promise<string>
  /** A PNG of a canvas, ImageData or ImageBitmap; null for other values. */
  readonly drawing: (value: object) => Promise<Blob> | null
  /** The SVG of a chart's spec. */
  readonly chart: (spec: unknown) => Promise<string>
}

const isSvg = (text: string) =>
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!-{2}[\s\S]{0,2000}?-->\s*)*<svg[\s>]/i.test(text.slice(0, 4_000))

const isImageUrl = (text: string) => /^data:image\/[a-z0-9.+-]+[;,]/i.test(text)

/** A text as what its looks say: an SVG, an image's data URL, or text. */
export function showText(text: string): Shown {
  if (isImageUrl(text)) return { kind: 'image', data: text }
  return { kind: isSvg(text) ? 'svg' : 'text', data: text }
}

async function showBlob(blob: Blob, ports: DisplayPorts): Promise<Shown> {
  if (blob.type.startsWith('image/svg')) return { kind: 'svg', data: await blob.text() }
  if (blob.type.startsWith('image/')) return { kind: 'image', data: await ports.toDataUrl(blob) }
  if (blob.type.startsWith('text/html')) return { kind: 'html', data: await blob.text() }
  return { kind: 'text', data: `Blob of ${blob.size} bytes${blob.type === '' ? '' : `, ${blob.type}`}` }
}

/** A lone `{ html: '…' }` or `{ svg: '…' }` names its kind. */
function showNamed(value: object): Shown | null {
  const [key, ...others] = Object.keys(value)
  if ((key !== 'html' && key !== 'svg') || others.length > 0) return null
  const data = (value as Readonly<Record<string, unknown>>)[key]
  return typeof data === 'string' ? { kind: key, data } : null
}

/** A Vega-Lite or Vega spec that says so. */
const isChart = (value: object) => {
  const schema = (value as Readonly<Record<string, unknown>>).$schema
  return typeof schema === 'string' && /vega\.github\.io\/schema\/vega/.test(schema)
}

/** What is shown when the code says as what. */
export async function showAs(
  kind: 'chart' | 'table' | 'html' | 'svg',
  value: unknown,
  ports: DisplayPorts,
): Promise<Shown> {
  if (kind === 'chart') return { kind: 'svg', data: await ports.chart(value) }
  if (kind === 'table') {
    const table = toTable(value)
    if (table === null) throw new Error('display.table takes a list of objects or of arrays, a Map or an object')
    return { kind: 'table', data: JSON.stringify(table) }
  }
  if (typeof value !== 'string') throw new Error(`display.${kind} takes a text`)
  return { kind, data: value }
}

/** What `display(value)` shows: image, SVG, HTML, chart or table where the value is one, else JSON, else text. */
export async function showValue(value: unknown, ports: DisplayPorts): Promise<Shown> {
  if (typeof value === 'string') return showText(value)
  if (typeof value === 'object' && value !== null) {
    if (value instanceof Blob) return showBlob(value, ports)
    const drawn = ports.drawing(value)
    if (drawn !== null) return showBlob(await drawn, ports)
    const named = showNamed(value)
    if (named !== null) return named
    if (isChart(value)) return showAs('chart', value, ports)
    if (isTableLike(value)) return showAs('table', value, ports)
    if (fitsJson(value)) return { kind: 'json', data: JSON.stringify(value) }
  }
  return { kind: 'text', data: formatValue(value, { depth: 6, items: 1_000, characters: 100_000 }) }
}

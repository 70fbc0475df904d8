import { formatValue, fitsJson } from './format-value'
import type { DisplayKind } from './protocol'
import { tableLimits as limits, type TableCell, type TableData } from '../table-data'

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function toCell(value: unknown): TableCell {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  const text = typeof value === 'string' ? value : formatValue(value, { depth: 2, items: 20, characters: 300 })
  return text.length > limits.cellCharacters ? `${text.slice(0, limits.cellCharacters - 1)}…` : text
}

function rowsOfObjects(items: readonly unknown[], total: number): TableData {
  const columns: string[] = []
  const seen = new Set<string>()
  for (const item of items) {
    for (const key of isPlain(item) ? Object.keys(item) : ['value']) {
      if (seen.has(key) || columns.length >= limits.columns) continue
      seen.add(key)
      columns.push(key)
    }
  }
  const rows = items.map((item) =>
    columns.map((column) =>
      isPlain(item)
        ? toCell(Object.hasOwn(item, column) ? item[column] : null)
        : column === 'value'
          ? toCell(item)
          : null,
    ),
  )
  return { columns, rows, total }
}

function rowsOfArrays(items: readonly (readonly unknown[])[], total: number): TableData {
  const width = Math.min(limits.columns, Math.max(1, ...items.map((item) => item.length)))
  const columns = Array.from({ length: width }, (_, at) => String(at))
  return { columns, rows: items.map((item) => columns.map((_, at) => toCell(item[at]))), total }
}

/** A list of objects, of arrays, or of values, a Map, or an object of rows, as a table; null for anything else. */
function toTable(value: unknown): TableData | null {
  if (value instanceof Map) {
    const entries = [...value]
      .slice(0, limits.rows)
      .map(([key, item]) => ({ key: toCell(key), ...(isPlain(item) ? item : { value: item }) }))
    return rowsOfObjects(entries, value.size)
  }
  if (value instanceof Set) return toTable([...value])
  if (isPlain(value)) return toTable(new Map(Object.entries(value)))
  if (!Array.isArray(value)) return null
  const items: readonly unknown[] = value.slice(0, limits.rows)
  return items.length > 0 && items.every(Array.isArray)
    ? rowsOfArrays(items as readonly (readonly unknown[])[], value.length)
    : rowsOfObjects(items, value.length)
}

/**
 * Whether a value should be shown as a table by default: lists of objects with simple fields, lists of rows, and Maps.
 */
function isTableLike(value: unknown): boolean {
  if (value instanceof Map) return value.size > 0
  if (!Array.isArray(value) || value.length === 0) return false
  const some: readonly unknown[] = value.slice(0, 50)
  const isSimple = (item: unknown) => typeof item !== 'object' || item === null || item instanceof Date
  if (some.every(Array.isArray))
    return value.length > 1 && some.every((row) => (row as readonly unknown[]).every(isSimple))
  return some.every((item) => isPlain(item) && Object.keys(item).length > 0 && Object.values(item).every(isSimple))
}

export interface Shown {
  readonly kind: DisplayKind
  readonly data: string
}

/** The browser features that a display needs; in a worker these are the globals. */
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

/** A text by its content: an SVG, an image's data URL, or plain text. */
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

/** A single `{ html: '…' }` or `{ svg: '…' }` names its kind. */
function showNamed(value: object): Shown | null {
  const [key, ...others] = Object.keys(value)
  if ((key !== 'html' && key !== 'svg') || others.length > 0) return null
  const data = (value as Readonly<Record<string, unknown>>)[key]
  return typeof data === 'string' ? { kind: key, data } : null
}

/** Whether a value declares itself as a Vega-Lite or Vega spec. */
const isChart = (value: object) => {
  const schema = (value as Readonly<Record<string, unknown>>).$schema
  return typeof schema === 'string' && /vega\.github\.io\/schema\/vega/.test(schema)
}

/** What to show if the code names the kind. */
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

/** What `display(value)` shows: an image, SVG, HTML, chart or table if the value is one, else JSON, else text. */
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

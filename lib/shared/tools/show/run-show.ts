import { decodeText } from '@/lib/base/text/text-encoding'
import { formatBytes } from '@/lib/base/text/locale'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import { normalizePath } from '@/lib/vfs/path'
import type { ToolContext, ToolOutcome } from '../tool'
import { makeModelMessage } from '@/lib/i18n/t'
import { refuse, describeBinary, failWith } from '../refuse'
import { chartScript, literal, runScript } from '../run-script'

/*
 * The small programs that show things: files are foreign, so they are read, drawn and scaled down in the sandbox, by
 * the same `display` that a model's own code uses. Each returns the text for the model.
 */

const tableOf = (rows: string, name: string) => `const rows = ${rows}
await display.table(rows, { name: ${literal(name)} })
return { rows: rows.length, columns: Object.keys(rows[0] ?? {}).slice(0, 40) }`

const csvScript = (path: string, name: string) => `const { default: papa } = await import("papaparse")
const text = await fs.readFile(${literal(path)}, "utf8")
${tableOf('papa.parse(text, { header: true, skipEmptyLines: "greedy", dynamicTyping: true }).data', name)}`

const jsonLinesScript = (path: string, name: string) => `const text = await fs.readFile(${literal(path)}, "utf8")
${tableOf('text.split("\\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line))', name)}`

/** A list becomes a table, a chart's spec a chart; anything else is shown as JSON. */
export const jsonScript = (
  path: string,
  name: string,
) => `const value = JSON.parse(await fs.readFile(${literal(path)}, "utf8"))
if (String(value?.$schema).includes("vega.github.io/schema/vega")) {
  await display.chart(value, { name: ${literal(name)} })
  return { shown: "chart" }
}
if (!Array.isArray(value) || value.length === 0) {
  await display(value)
  return { shown: "JSON" }
}
${tableOf('value', name)}`

/** The longer side of an image that must be scaled down, in pixels. */
const largestSide = 1_600

/** An image that is too large to be stored with the chat is scaled down. */
const imageScript = (path: string, type: string) => `const bytes = await fs.readFile(${literal(path)})
const picture = await createImageBitmap(new Blob([bytes], { type: ${literal(type)} }))
const scale = Math.min(1, ${largestSide} / Math.max(picture.width, picture.height))
const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height)
await display(await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 }))
return { note: "Shown at " + canvas.width + " × " + canvas.height + ", of " + picture.width + " × " + picture.height + " pixels." }`

interface ShowArguments {
  readonly path?: string | undefined
  readonly chart?: Readonly<Record<string, unknown>> | undefined
  readonly title?: string | undefined
}

type DisplayEvent = Extract<SandboxEvent, { readonly type: 'display' }>

/** Characters of a text, bytes of an image before it becomes a data URL: displays are stored with the chat. */
const maxCharacters = 1_900_000
const maxImageBytes = 1_400_000

const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const extensionOf = (path: string) => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

function toDataUrl(bytes: Uint8Array, type: string): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return `data:${type};base64,${btoa(text)}`
}

async function script(code: string, modelResult: JsonObject, context: ToolContext<'read'>): Promise<ToolOutcome> {
  const ran = await runScript(code, context)
  return ran.ok ? { ok: true, result: { ...modelResult, ...ran.value } } : ran.error
}

/** The spec with the file as its data, unless it has its own. */
function specFor(chart: Readonly<Record<string, unknown>>, path: string | null, title: string | undefined): JsonObject {
  const spec = chart as JsonObject
  const data = path !== null && !isJsonObject(spec.data ?? null) ? { data: { url: path } } : {}
  return { ...(title !== undefined && { title }), ...spec, ...data }
}

async function showFile(path: string, title: string | undefined, context: ToolContext<'read'>): Promise<ToolOutcome> {
  const { vfs, onEvent } = context
  const found = await vfs.stat(path)
  if (!found.ok) return failWith(found.error, vfs, 'file')
  const extension = extensionOf(path)
  const name = title ?? nameOf(path)
  const size = formatBytes(found.value.size)
  switch (extension) {
    case 'csv':
    case 'tsv':
      return script(csvScript(path, name), { shown: 'table', path }, context)
    case 'jsonl':
    case 'ndjson':
      return script(jsonLinesScript(path, name), { shown: 'table', path }, context)
    case 'json':
      return script(jsonScript(path, name), { shown: 'table', path }, context)
  }
  const type = imageTypes[extension]
  if (type !== undefined && found.value.size > maxImageBytes)
    return script(imageScript(path, type), { shown: 'image', path, size }, context)

  const read = await vfs.read(path)
  if (!read.ok) return failWith(read.error, vfs, 'file')
  const display = (kind: DisplayEvent['kind'], data: string, modelResult: JsonObject): ToolOutcome => {
    if (data.length > maxCharacters) {
      return refuse('too-large', makeModelMessage('told.show-large', { path, size: found.value.size }))
    }
    onEvent({ type: 'display', kind, data, name, atMs: 0 })
    return { ok: true, result: modelResult }
  }
  if (type !== undefined) return display('image', toDataUrl(read.value, type), { shown: 'image', path, size })
  const decoded = decodeText(read.value)
  const binary = decoded === null ? describeBinary(read.value) : null
  if (binary !== null) return refuse('binary', makeModelMessage('told.show-binary', { path, ...binary }))
  const text = decoded?.text ?? new TextDecoder().decode(read.value)
  const kind = extension === 'svg' ? 'svg' : extension === 'html' || extension === 'htm' ? 'html' : 'text'
  return display(kind, text, { shown: kind === 'svg' ? 'SVG' : kind === 'html' ? 'HTML page' : 'text', path, size })
}

/** Shows a file, or a chart of one. The model learns what was shown and its size, and never gets the image. */
export async function runShow(
  { path, chart, title }: ShowArguments,
  context: ToolContext<'read'>,
): Promise<ToolOutcome> {
  const normal = path === undefined || path === '' ? null : normalizePath(path)
  if (normal !== null && !normal.ok) return failWith(normal.error, context.vfs, 'file')
  const file = normal?.value ?? null
  if (chart !== undefined) {
    const modelResult: Record<string, JsonValue> = { shown: 'chart', ...(file !== null && { path: file }) }
    return script(chartScript(specFor(chart, file, title), title ?? 'chart'), modelResult, context)
  }
  if (file === null) return refuse('invalid-arguments', makeModelMessage('told.show-what'))
  return showFile(file, title, context)
}

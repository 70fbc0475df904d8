import { isJsonObject, isRecord, type JsonValue } from '@/lib/base/json'
import type { ReadableCall, ReadableFile, ReadablePart } from '@/lib/shared/conversation/readable/readable-chat'
import type { PositionedMessage } from '@/lib/shared/conversation/readable/export-of-readable'
import { linksOfSources } from './chatgpt-marks'
import type { SkippedCount } from './skipped'

/*
 * The parts of a message, as programs and model APIs write them. They share `type` and differ in other names:
 *
 *   {"type":"text","text":"…"} (LibreChat also {"value":"…"})     {"type":"thinking","thinking":"…"}, "think", "reasoning"
 *   {"type":"tool_use","name":…,"input":{…}}                      {"type":"tool_result","content":…}
 *   {"type":"tool_call","tool_call":{"name":…,"args":…,"output":…}}
 *   {"type":"image_url",…}, {"type":"file","file":{"filename":…}}
 */

type Json = Readonly<Record<string, unknown>>

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const recordsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Seconds, milliseconds or a date, as milliseconds. */
export function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
  if (!Number.isFinite(time) || time <= 0 || time > 1e14) return null
  return Math.round(time < 1e11 ? time * 1_000 : time)
}

export class MessageParts {
  readonly parts: ReadablePart[] = []
  readonly files: ReadableFile[] = []
  readonly #skipped: SkippedCount

  constructor(skipped: SkippedCount) {
    this.#skipped = skipped
  }

  get text(): string {
    return this.parts.flatMap((part) => (part.kind === 'call' ? [] : [part.text])).join('\n\n')
  }

  get calls(): readonly ReadableCall[] {
    return this.parts.filter((part) => part.kind === 'call')
  }

  /** The parts of a reply, with its files by name. */
  get withFiles(): readonly ReadablePart[] {
    const names = this.files.map(({ name }): ReadablePart => ({ kind: 'text', text: `[${name}]` }))
    return [...this.parts, ...names]
  }

  /** Adds text in any of its forms; without any the part counts as damaged. */
  sayWords(kind: 'text' | 'thought', value: unknown, after = ''): void {
    const words = wordsIn(value)
    if (words === '') this.#skipped.addLost('damaged', value)
    this.say(kind, words.trimEnd() + after)
  }

  say(kind: 'text' | 'thought', text: string): void {
    // The first line may be indented: a block of code.
    if (text.trim() !== '') this.parts.push({ kind, text: text.replace(/^\s*\n/, '').trimEnd() })
  }

  call(tool: unknown, given: unknown, state: 'done' | 'failed' = 'done'): void {
    const args = parsed(given)
    const isObject = isJsonObject(args)
    this.parts.push({
      kind: 'call',
      tool: textOf(tool).slice(0, 300),
      state,
      arguments: isObject ? args : null,
      written: isObject || !holdsText(given) ? null : asText(given),
      result: null,
    })
  }

  /** Adds a result to the nearest earlier call without one, else separately. */
  result(tool: unknown, content: unknown, state: 'done' | 'failed' = 'done'): void {
    const name = textOf(tool).slice(0, 300)
    const result = { value: this.#resultValue(content), displays: [] }
    const at = this.parts.findLastIndex(
      (part) => part.kind === 'call' && part.result === null && (name === '' || part.tool === name),
    )
    const call = this.parts[at]
    if (call?.kind === 'call') this.parts[at] = { ...call, state, result }
    else this.parts.push({ kind: 'call', tool: name, state, arguments: null, written: null, result })
  }

  /** A file: its name and size are imported, and the beginning of its text if the export contains it. */
  file(about: Json, otherwise: string): void {
    const inner = isRecord(about['file']) ? about['file'] : {}
    const meta = isRecord(inner['meta']) ? inner['meta'] : {}
    const data = isRecord(inner['data']) ? inner['data'] : {}
    const from = (...names: readonly string[]): unknown =>
      names.flatMap((name) => [about[name], inner[name], meta[name]]).find((value) => value !== undefined)
    const name = textOf(from('name', 'filename', 'file_name', 'title', 'alt')) || fileNameIn(about) || otherwise
    const head = textOf(from('extracted_content', 'text') ?? data['content'])
    const size = from('size', 'bytes', 'file_size')
    const mediaType = textOf(from('content_type', 'mime_type', 'mimeType', 'media_type', 'mediaType', 'fileType'))
    if (head === '') this.#skipped.add('files')
    this.files.push({
      name: name.slice(0, 1_000),
      mediaType: /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.exec(mediaType)?.[0] ?? 'application/octet-stream',
      size: typeof size === 'number' && size >= 0 ? size : new Blob([head]).size,
      head: head === '' ? null : head,
      picture: null,
    })
  }

  /** Reads each part of a message, or of a result. */
  read(content: unknown): void {
    if (typeof content === 'string') return this.say('text', content)
    for (const part of listIn(content)) {
      if (typeof part === 'string') this.say('text', part)
      else if (!isRecord(part)) this.#skipped.addLost('damaged', part)
      else this.#readPart(part)
    }
  }

  #readPart(part: Json): void {
    const kind = textOf(part['type'])
    const reader = partReaders.get(kind)
    if (reader) return reader(this, part)
    if (serviceParts.has(kind)) return this.#skipped.addLost('hidden', { ...part, type: '' })
    if (soundParts.has(kind)) return this.#skipped.add('sound')
    if (isFilePart(kind)) return this.file(part, kind)
    // The text of a part of an unknown kind is kept.
    const text = wordsIn(part['text'] ?? part['content'])
    if (text !== '') return this.say('text', text)
    const { type: _, ...rest } = part
    this.#skipped.addLost('unknown', rest)
    if (kind !== '' && holdsText(rest)) this.say('text', `[${kind.slice(0, 100)}]`)
  }

  #resultValue(content: unknown): JsonValue {
    if (typeof content === 'string') return content
    if (!Array.isArray(content)) return content === undefined ? '' : asText(content)
    const inner = new MessageParts(this.#skipped)
    inner.read(content)
    return [inner.text, ...inner.files.map(({ name }) => `[${name}]`)].filter((text) => text !== '').join('\n\n')
  }
}

interface MessagePlace {
  readonly by: 'person' | 'model'
  readonly parentId: string | null
  readonly at: number
  readonly model?: string
}

/** Adds a message, if it has content; returns the id of that message, or of its parent. */
export function addMessage(messages: PositionedMessage[], read: MessageParts, place: MessagePlace): string | null {
  const { by, at, model = '' } = place
  let { parentId } = place
  const next = () => ({ id: `n${messages.length}`, parentId, at })
  // Model APIs put results into user messages.
  const parts = by === 'person' ? read.calls : read.withFiles
  if (parts.length > 0) {
    const reply = { ...next(), by: 'model', model, ended: 'finished', parts } as const
    messages.push(reply)
    parentId = reply.id
  }
  const { text, files } = read
  if (by === 'person' && (text !== '' || files.length > 0)) {
    const question = { ...next(), by, text, files }
    messages.push(question)
    parentId = question.id
  }
  return parentId
}

type PartReader = (into: MessageParts, part: Json) => void

const readText: PartReader = (into, part) =>
  into.sayWords('text', part['text'], linksOfSources(recordsIn(part['citations'] ?? part['annotations'])))
const readThought: PartReader = (into, part) =>
  into.sayWords('thought', part['thinking'] ?? part['think'] ?? part['reasoning'] ?? part['text'])
const readCall: PartReader = (into, part) => {
  const inner = isRecord(part['tool_call']) ? part['tool_call'] : isRecord(part['function']) ? part['function'] : part
  const name = inner['name'] ?? inner['toolName']
  into.call(name, inner['input'] ?? inner['args'] ?? inner['arguments'])
  if (inner['output'] !== undefined && inner['output'] !== null) into.result(name, inner['output'])
}
const readResult: PartReader = (into, part) =>
  into.result(
    part['name'] ?? part['toolName'],
    part['content'] ?? part['output'] ?? part['result'],
    part['is_error'] === true ? 'failed' : 'done',
  )

const partReaders: ReadonlyMap<string, PartReader> = new Map([
  ...['text', 'input_text', 'output_text'].map((kind) => [kind, readText] as const),
  ...['thinking', 'think', 'reasoning'].map((kind) => [kind, readThought] as const),
  ...['tool_use', 'tool_call', 'tool-call', 'function_call'].map((kind) => [kind, readCall] as const),
  ...['tool_result', 'tool-result', 'function_call_output'].map((kind) => [kind, readResult] as const),
  ['error', (into, part) => into.sayWords('text', part['error'] ?? part['text'])],
])

/** Parts that programs write for themselves. */
const serviceParts: ReadonlySet<string> = new Set(['agent_update', 'redacted_thinking', 'step-start', 'token_budget'])
const soundParts: ReadonlySet<string> = new Set(['input_audio', 'audio', 'output_audio'])
const isFilePart = (kind: string): boolean => /image|file|document|video/.test(kind)

/** A text, LibreChat's `{"value":"…"}`, or an error's message. */
function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isRecord(value)) return ''
  return textOf(value['value'] ?? value['message'] ?? value['content'] ?? value['text'])
}

/** The last part of an address; a data URL has no name. */
function fileNameIn(about: Json): string {
  const inner = about['image_url'] ?? about['image_file'] ?? about['file_url'] ?? about['url'] ?? about['filepath']
  const url = isRecord(inner) ? textOf(inner['url'] ?? inner['filename'] ?? inner['filepath']) : textOf(inner)
  if (url === '' || url.startsWith('data:')) return ''
  return (url.split(/[?#]/)[0] ?? '').split('/').at(-1) ?? ''
}

const holdsText = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && JSON.stringify(value) !== '{}'
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Arguments are an object, or one encoded as JSON, maybe twice. */
function parsed(value: unknown): unknown {
  let read = value
  for (let times = 0; times < 2 && typeof read === 'string'; times += 1) {
    try {
      read = JSON.parse(read)
    } catch {
      return read
    }
  }
  return read
}

import type { Refusal } from '@/lib/base/app-error'
import { isJsonObject, type JsonValue, type JsonObject } from '@/lib/base/json'
import { jsonErrorAt } from '@/lib/base/text/json-error-at'
import { err, ok, type Result } from '@/lib/base/result'
import { makeRefusal, t } from '@/lib/i18n/t'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { Switchable } from '@/lib/shared/tools/discovery'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'

/** A tool's state in the playground: offered, known but off, or missing. */
export type ToolAvailability = 'offered' | 'off' | 'unknown'

/** By tool name; a tool that is not listed is offered, unless it is off by default. */
export type ToolChoice = Readonly<Record<string, ToolAvailability>>

export const offerStateOf = (choice: ToolChoice, { spec: { name }, policy }: Switchable): ToolAvailability =>
  (Object.hasOwn(choice, name) ? choice[name] : undefined) ?? (policy.offByDefault === undefined ? 'offered' : 'off')

/** The tools as the parser and the prompt see them under this choice. */
export function chosenTools(tools: ToolSet, choice: ToolChoice): readonly ToolSpec[] {
  const state = ({ name }: ToolSpec) => offerStateOf(choice, tools.get(name) ?? { spec: { name }, policy: {} })
  return tools
    .specs()
    .filter((spec) => state(spec) !== 'unknown')
    .map((spec) => (state(spec) === 'off' ? { ...spec, disabled: true } : spec))
}

/** Why a tool is, or is not, offered to the model. */
export function whyOffered(tool: ToolDefinition, choice: ToolChoice): { readonly word: string; readonly why: string } {
  const state = tool.policy.agentCallable ? offerStateOf(choice, tool) : 'never'
  return { word: t(`play.is.${state}`), why: t(`play.why.${state}`) }
}

/** Typed text as a call's arguments; otherwise the error and its position. */
export function parseArguments(text: string): Result<JsonObject, Refusal> {
  if (text.trim() === '') return ok({})
  const wrongAt = jsonErrorAt(text)
  if (wrongAt !== null) return err(makeRefusal('play.not-json', placeOf(text, wrongAt)))
  const value = JSON.parse(text) as JsonValue
  if (!isJsonObject(value)) return err(makeRefusal('play.no-object'))
  return ok(value)
}

function placeOf(text: string, at: number) {
  const before = text.slice(0, at)
  const [line, column] = [before.split('\n').length, at - before.lastIndexOf('\n')]
  return { isEarly: at >= text.trimEnd().length, line, column }
}

/** The content of a link to a reading. */
export interface SharedReading {
  readonly strategy: string
  readonly text: string
  readonly choice: ToolChoice
}

/** The longest link that chats and mail programs still accept whole. */
const MAX_PACKED = 24_000
/** The limit for unpacking, because a short link can contain a large text. */
const MAX_UNPACKED_BYTES = 4_000_000
const PREFIX = 'read=1.'

/** Whether a fragment (without #) is a link to a reading, whole or damaged. */
export const isSharedReading = (fragment: string): boolean => fragment.startsWith('read=')

/** The fragment (without #) with the whole reading; browsers never send it to a server. */
export async function packReading({ strategy, text, choice }: SharedReading): Promise<Result<string, Refusal>> {
  const bytes = await pump(new TextEncoder().encode(JSON.stringify({ s: strategy, t: text, o: choice })), 'pack')
  const packed = bytes === null ? '' : toBase64Url(bytes)
  if (bytes === null || packed.length > MAX_PACKED) {
    return err(makeRefusal('inspector.link-too-long', { size: packed.length, most: MAX_PACKED }))
  }
  return ok(PREFIX + packed)
}

/** Reads such a fragment. */
export async function unpackReading(fragment: string): Promise<Result<SharedReading, Refusal>> {
  const broken = makeRefusal('inspector.link-damaged')
  if (!fragment.startsWith(PREFIX)) return err(broken)
  try {
    const bytes = await pump(fromBase64Url(fragment.slice(PREFIX.length)), 'unpack')
    if (bytes === null) return err(makeRefusal('inspector.link-unpacks'))
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as JsonValue
    if (!isJsonObject(value)) return err(broken)
    const { s: strategy, t: text, o: choice } = value
    if (typeof strategy !== 'string' || typeof text !== 'string') return err(broken)
    return ok({ strategy, text, choice: readChoice(choice) })
  } catch {
    return err(broken)
  }
}

const availabilities: readonly ToolAvailability[] = ['offered', 'off', 'unknown']

function readChoice(value: JsonValue | undefined): ToolChoice {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, wanted]) => {
      const known = availabilities.find((one) => one === wanted)
      return known ? [[name, known]] : []
    }),
  )
}

/** Null if the output exceeds the limit. Rejects on damaged input. */
async function pump(bytes: Uint8Array<ArrayBuffer>, direction: 'pack' | 'unpack'): Promise<Uint8Array | null> {
  const through = direction === 'pack' ? new CompressionStream('deflate-raw') : new DecompressionStream('deflate-raw')
  const writer = through.writable.getWriter()
  // The reading side reports the error; without a handler here, this promise's rejection would be unhandled.
  const written = writer.write(bytes).then(
    () => writer.close(),
    () => {},
  )
  written.catch(() => {})
  const reader = through.readable.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > MAX_UNPACKED_BYTES) {
      await reader.cancel().catch(() => {})
      return null
    }
    parts.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

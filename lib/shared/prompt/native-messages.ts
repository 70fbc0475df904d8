import type { Message } from '@/lib/shared/conversation/conversation'
import type { ToolResult } from '@/lib/shared/conversation/call-record'
import { replyInParts, type ReplyCall, type ReplyContext } from './reply-as-prompt'
import type { JsonObject } from '@/lib/base/json'
import { neutralise } from '@/lib/protocols/registry'
import { USE_TOOL } from '@/lib/protocols/prompt/unlisted-tools'
import { splitFrame } from '@/lib/protocols/framed-calls/frame'

/** The AI SDK's parts, as far as they are used here. */
export interface TextPart {
  type: 'text'
  text: string
}

export interface ToolCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: JsonObject
  /** What the provider sent with the call and wants back with it. */
  providerOptions?: Record<string, JsonObject>
}

export interface ToolResultPart {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: { type: 'text' | 'error-text'; value: string }
}

/** A reply in the form of the provider's own tool calling: text, then calls, then one result for each call. */
export interface NativeTurn {
  readonly text: string
  readonly calls: readonly ToolCallPart[]
  readonly results: readonly ToolResultPart[]
}

/** `messageId:slot` of a call. */
export const keyInBranch = (messageId: string, slot: number): string => `${messageId}:${slot}`

/**
 * Every reply of a branch in native form, by message id. `answered` are the results placed with their calls, so they
 * are sent nowhere else. Ids are unique in the whole branch: an id of the model's own is kept if this model's server
 * gave it; any other is nine letters and digits, the form that the strictest server accepts (Mistral).
 */
export function nativeTurns(
  path: readonly Message[],
  context: ReplyContext,
  model: string,
): { readonly turns: ReadonlyMap<string, NativeTurn>; readonly answered: ReadonlySet<string> } {
  const results = new Map<string, ToolResult>()
  for (const message of path)
    if (message.role === 'user')
      for (const result of message.results) {
        const key = keyInBranch(result.messageId, result.slot)
        if (!results.has(key)) results.set(key, result)
      }
  const unlisted = new Set(context.tools.flatMap((tool) => (tool.unlisted === true ? [tool.name] : [])))
  const turns = new Map<string, NativeTurn>()
  const answered = new Set<string>()
  const taken = new Set<string>()
  for (const message of path) {
    if (message.role !== 'assistant') continue
    const { text, calls } = replyInParts(message, context)
    const own = context.reader.get(message.strategy).callsBy === 'provider' && message.model === model
    const turn = { text, calls: [] as ToolCallPart[], results: [] as ToolResultPart[] }
    for (const call of calls) {
      const key = keyInBranch(message.id, call.slot)
      const part = callPart(call, own, unlisted, (wanted) => uniqueId(wanted, key, taken))
      turn.calls.push(part)
      turn.results.push(resultPart(part, results.get(key)))
      answered.add(key)
    }
    turns.set(message.id, turn)
  }
  return { turns, answered }
}

function callPart(
  { name, arguments: input, raw }: ReplyCall,
  own: boolean,
  unlisted: ReadonlySet<string>,
  idOf: (wanted: string | null) => string,
): ToolCallPart {
  const frame = own ? splitFrame(raw) : null
  const part: ToolCallPart = {
    type: 'tool-call',
    toolCallId: idOf(frame?.id ?? null),
    // A function that the request does not list is called through one that it does.
    toolName: unlisted.has(name) ? USE_TOOL : name,
    // A plain object, because parsed arguments have no prototype.
    input: unlisted.has(name) ? { name, arguments: { ...input } } : { ...input },
  }
  if (frame?.metadata) part.providerOptions = { ...frame.metadata }
  return part
}

function resultPart({ toolCallId, toolName }: ToolCallPart, result: ToolResult | undefined): ToolResultPart {
  const { status, note, ...rest } = result ?? {
    status: 'skipped',
    note: '',
    result: { reason: 'This call was not answered.' },
  }
  const type = status === 'error' || status === 'not_found' ? 'error-text' : 'text'
  // It contains no mark of any strategy or chat template.
  const content = { status, result: note ? { note, result: rest.result } : rest.result }
  const value = neutralise.json(JSON.stringify(content))
  return { type: 'tool-result', toolCallId, toolName, output: { type, value } }
}

function uniqueId(wanted: string | null, key: string, taken: Set<string>): string {
  let id = wanted !== null && /^[\w-]{1,64}$/.test(wanted) ? wanted : shortId(key)
  for (let attempt = 0; taken.has(id); attempt++) id = shortId(`${key}:${attempt}`)
  taken.add(id)
  return id
}

const shortIdLength = 9

/** Nine of [0-9a-z], the same for the same text. FNV-1a in two lanes. */
function shortId(text: string): string {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let index = 0; index < text.length; index++) {
    low = Math.imul(low ^ text.charCodeAt(index), 0x01000193) >>> 0
    high = Math.imul(high ^ low, 0x85ebca6b) >>> 0
  }
  return (low.toString(36) + high.toString(36)).padStart(shortIdLength, '0').slice(-shortIdLength)
}

import { hermesProtocol, type TCMProtocol } from '@ai-sdk-tool/parser'
import { jsonrepair } from 'jsonrepair'
import { parse as parsePartial } from 'partial-json'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { strategies } from '@/lib/protocols/registry'
import type { CallToWrite, StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'

/** Extracts calls from a reply, before any schema is applied. */
export interface ReplyReader {
  readonly name: string
  readonly setup: string
  /** The strategies that the parser can be configured for. */
  readonly strategies: readonly StrategyId[]
  readonly read: (text: string, strategy: StrategyId, tools: readonly ToolSpec[]) => Promise<readonly CallToWrite[]>
}

const nod: ReplyReader = {
  name: 'Nod',
  setup: 'the strategy’s own scanner, fed once; its live calls',
  strategies: strategies.map((def) => def.id),
  read: (text, strategy, tools) => {
    const scanner = strategies.find((def) => def.id === strategy)?.createScanner(tools)
    scanner?.push(text)
    const segments = scanner?.end().segments ?? []
    return Promise.resolve(
      segments.filter((one) => one.kind === 'call').filter((one) => one.standing === 'live' && one.problem === null),
    )
  },
}

type PeerTools = Parameters<TCMProtocol['parseGeneratedText']>[0]['tools']

/**
 * Without `additionalProperties: false` the other parser passes unknown keys on, and our coercion drops or maps them.
 */
const peerTools = (tools: readonly ToolSpec[]): PeerTools =>
  tools
    .filter((tool) => !tool.disabled)
    .map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: { ...parameters, additionalProperties: true } as PeerTools[number]['inputSchema'],
    }))

/** Arguments as JSON text, encoded once or twice. */
function peerCall(toolName: string, input: string): readonly CallToWrite[] {
  try {
    const once = JSON.parse(input) as JsonValue
    const value = typeof once === 'string' ? (JSON.parse(once) as JsonValue) : once
    return [{ name: toolName, arguments: isJsonObject(value) ? value : {} }]
  } catch {
    return []
  }
}

const peerProtocol = (): TCMProtocol => hermesProtocol({ toolCallStart: '<tool_code>', toolCallEnd: '</tool_code>' })

const parserWhole: ReplyReader = {
  name: '@ai-sdk-tool/parser, whole',
  setup:
    'hermesProtocol with our tags, parseGeneratedText, the conversation’s tools with additional properties allowed',
  strategies: ['XML_Tag'],
  read: (text, _strategy, tools) =>
    Promise.resolve(
      peerProtocol()
        .parseGeneratedText({ text, tools: peerTools(tools) })
        .flatMap((part) => (part.type === 'tool-call' ? peerCall(part.toolName, part.input) : [])),
    ),
}

const parserStream: ReplyReader = {
  name: '@ai-sdk-tool/parser, stream',
  setup: 'the same, createStreamParser, the text in pieces of 4 characters',
  strategies: ['XML_Tag'],
  read: async (text, _strategy, tools) => {
    const { readable, writable } = peerProtocol().createStreamParser({ tools: peerTools(tools) })
    const writer = writable.getWriter()
    const feed = async (): Promise<void> => {
      await writer.write({ type: 'text-start', id: '1' })
      for (let i = 0; i < text.length; i += 4)
        await writer.write({ type: 'text-delta', id: '1', delta: text.slice(i, i + 4) })
      await writer.write({ type: 'text-end', id: '1' })
      await writer.close()
    }
    const calls: CallToWrite[] = []
    const drain = async (): Promise<void> => {
      for await (const part of readable)
        if (part.type === 'tool-call') calls.push(...peerCall(part.toolName, part.input))
    }
    await Promise.all([feed(), drain()])
    return calls
  },
}

/**
 * The JSON of a reply as most applications extract it: the first code fence, else from the first `{` to the last `}`.
 */
function plainExtraction(text: string): string | null {
  const fence = /```(?:\w+)?\s*\n([\s\S]*?)```/.exec(text)?.[1]
  if (fence !== undefined && fence.includes('{')) return fence
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')]
  return first < 0 ? null : text.slice(first, last > first ? last + 1 : undefined)
}

const NAMES = ['name', 'tool', 'tool_name', 'function'] as const
const ARGUMENTS = ['arguments', 'parameters', 'args', 'input', 'params', 'action_input'] as const

/** A call object with the keys that we accept ourselves; arguments that are JSON text are decoded. */
function callOf(value: JsonValue): readonly CallToWrite[] {
  if (!isJsonObject(value)) return []
  const inner = value['function']
  const object: JsonObject = inner !== undefined && isJsonObject(inner) ? inner : value
  const name = NAMES.map((key) => object[key]).find((one) => typeof one === 'string')
  if (name === undefined) return []
  const raw = ARGUMENTS.map((key) => object[key]).find((one) => one !== undefined && one !== null && one !== '')
  if (raw === undefined) return [{ name, arguments: {} }]
  if (isJsonObject(raw)) return [{ name, arguments: raw }]
  return typeof raw === 'string' ? peerCall(name, raw) : []
}

/** The envelope of the strategy; without it nothing is a call. */
function callsOf(value: JsonValue, strategy: StrategyId): readonly CallToWrite[] {
  const list = (one: JsonValue): readonly JsonValue[] => (Array.isArray(one) ? one : [one])
  if (strategy === 'JSON_Strict')
    return isJsonObject(value) && value['tool_calls'] !== undefined ? list(value['tool_calls']).flatMap(callOf) : []
  const objects = list(value)
  if (strategy === 'JSON_Action')
    return objects.filter((one) => isJsonObject(one) && one['action'] === 'tool_call').flatMap(callOf)
  return objects.flatMap(callOf)
}

const extracting = (name: string, setup: string, parse: (json: string) => unknown): ReplyReader => ({
  name,
  setup: `first fence, else first { to last }; ${setup}; then the strategy’s envelope`,
  strategies: ['JSON_Strict', 'XML_Tag', 'JSON_Action'],
  read: (text, strategy) => {
    const json = plainExtraction(text)
    try {
      return Promise.resolve(json === null ? [] : callsOf(parse(json) as JsonValue, strategy))
    } catch {
      return Promise.resolve([])
    }
  },
})

export const readers: readonly ReplyReader[] = [
  nod,
  parserWhole,
  parserStream,
  extracting('jsonrepair', 'jsonrepair, JSON.parse', (json) => JSON.parse(jsonrepair(json)) as unknown),
  extracting('partial-json', 'its parse', (json) => parsePartial(json) as unknown),
  extracting('JSON.parse', 'JSON.parse', (json) => JSON.parse(json) as unknown),
]

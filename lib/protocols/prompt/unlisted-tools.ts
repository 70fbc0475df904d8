import type { ToolSpec, PromptPart } from '../types/tool-context-def'

/*
 * Code may call tools. The prompt already lists a typed signature for each, or `find_tools` finds it, so the code tools
 * only name them and show the form of a call. The prompt of a chat without tools of servers does not change.
 */

const SENTENCE = /^.*?[.!?](?=\s|$)/su
/** More names than these cost more tokens than they save. */
const maxCodeTools = 24

const ways = {
  javascript: 'await tools.name({…})',
  python: 'await tools.name(key=…)',
} as const

/** Adds the tools that code may call to the descriptions of the code tools. Returns the same array if there are none. */
export function withCodeTools(offered: readonly ToolSpec[], all: readonly ToolSpec[]): readonly ToolSpec[] {
  const callable = all.filter(({ fromCode, disabled }) => fromCode !== undefined && disabled !== true)
  const runners = offered.filter(({ callsTools }) => callsTools !== undefined)
  if (runners.length === 0 || callable.every(({ fromCode }) => fromCode === 'here')) return offered
  const shown = callable.filter(({ unlisted }) => unlisted !== true)
  const names = shown.slice(0, maxCodeTools).map(({ name }) => name)
  const isMore = shown.length > names.length || callable.length > shown.length
  const which = [...names, ...(isMore ? ['other tools of servers'] : [])].join(', ')
  return offered.map((spec) => {
    const { callsTools, ...rest } = spec
    if (callsTools === undefined) return spec
    const how = `The code can call tools with \`${ways[callsTools]}\`, which waits for the user and throws ToolError on refusal: ${which}.`
    const [first = ''] = SENTENCE.exec(spec.description) ?? []
    const head = `${first} ${how}`.trim()
    return { ...rest, uncut: head.length, description: `${head} ${spec.description.slice(first.length).trim()}`.trim() }
  })
}

/*
 * Tool servers can have hundreds of tools. Above `maxListed` of them, their definitions are not in the prompt: they are
 * `unlisted`.
 * The model finds them with `find_tools`; the message with its result then contains their definitions. Any reader
 * accepts a call of an unlisted tool like any other.
 */

/** The maximum number of server tools listed in a prompt, about 600 tokens; if there are more, none is listed. */
export const maxListed = 12

export const FIND_TOOLS = 'find_tools'
/** Used under Native: servers reject calls of functions that the request does not list. */
export const USE_TOOL = 'use_tool'

/** How the model calls an unlisted tool under Native: with its name and its arguments. */
export const useToolSpec: ToolSpec = {
  name: USE_TOOL,
  description: `Calls a tool that ${FIND_TOOLS} found.`,
  parameters: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'its name, as found' },
      arguments: { type: 'object', description: 'its arguments, by its definition' },
    },
    required: ['name', 'arguments'],
    additionalProperties: false,
  },
}

/** Tools of one server: all names if they are few, else some of them. */
export interface UnlistedServer {
  readonly host: string
  readonly names: readonly string[]
}

const maxNamed = 60
const namedOfMany = 3

/**
 * The definition of `find_tools` if there are unlisted tools: with a short description per server, in one sentence that
 * is never cut.
 */
export function withServers(spec: ToolSpec, servers: readonly UnlistedServer[]): ToolSpec {
  const total = servers.reduce((sum, { names }) => sum + names.length, 0)
  const parts = servers.map(({ host, names }) =>
    total <= maxNamed
      ? `${host}: ${names.join(', ')}`
      : `${host}: ${names.length} tools, as ${names.slice(0, namedOfMany).join(', ')}`,
  )
  return { ...spec, description: `${spec.description} Servers: ${parts.join('; ')}` }
}

/**
 * The tools with the named ones listed, for what a reply may call from then on. Returns the same array if nothing
 * changes.
 */
export function withListed(tools: readonly ToolSpec[], names: ReadonlySet<string>): readonly ToolSpec[] {
  if (!tools.some((tool) => tool.unlisted === true && names.has(tool.name))) return tools
  return tools.map((tool) => (names.has(tool.name) ? listed(tool) : tool))
}

/** A tool as it appears in a prompt that lists it. */
export function listed(tool: ToolSpec): ToolSpec {
  const { unlisted: _, ...rest } = tool
  return rest
}

const HEAD = /^## Tools\b.*\n+/

/** The definitions alone, in the notation of the call format. */
export const definitionsIn = (parts: readonly PromptPart[]): string =>
  parts
    .filter(({ kind }) => kind === 'tools')
    .map(({ text }) => text.replace(HEAD, ''))
    .join('\n')

const found = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>()

/**
 * The tools that a prompt lists, neither `disabled` nor `unlisted`. Always returns the same array for the same `tools`,
 * so that values derived from it can be cached.
 */
export function offeredTools(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const known = found.get(tools)
  if (known) return known
  const some = tools.filter((tool) => tool.disabled !== true && tool.unlisted !== true)
  const offered = withCodeTools(some.length === tools.length ? tools : some, tools)
  found.set(tools, offered)
  return offered
}

import { nameOfOperatorId } from '@/lib/shared/mcp/operator-server'
import { foldToolName } from '@/lib/base/text/nearest-path'
import type {
  RegisteredTool,
  FileAccess,
  PermissionLevel,
  RemoteTool,
} from '@/lib/shared/conversation/settings/registered-tool'
import { maxListed } from '@/lib/protocols/prompt/unlisted-tools'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ToolDefinition, CallSummary, ToolContext, ToolOutcome, ToolPolicy } from './tool'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { makeModelMessage, t, type ModelMessage } from '@/lib/i18n/t'
import { quoted } from '@/lib/base/untrusted-text/foreign-text'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { refuse } from './refuse'

/**
 * The differences of a tool that runs on a server (MCP): its destination is shown, and its result is reviewed before it
 * is sent.
 */
const remoteFacts = ({ host, server }: RemoteTool) =>
  ({
    policy: {
      server: host,
      requireResultApproval: 'always',
      // Progress of the server extends its time; at the end the server is notified.
      ownsTimeout: true,
    },
    card: {
      tags: [host],
      summarize: (args: JsonObject) => remoteSummary(host, nameOfOperatorId(server) !== null, args),
    },
  }) satisfies { readonly policy: Partial<ToolDefinition['policy']>; readonly card: Partial<ToolDefinition['card']> }

const MAX_NAMES = 12

/** Where a call goes and what leaves the browser: all names, and the characters of all values. */
function remoteSummary(host: string, isOperators: boolean, args: JsonObject): CallSummary {
  const names = Object.keys(args)
  const shown = [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['…'] : [])]
  const count = Object.values(args).reduce<number>((sum, value) => sum + charactersOf(value), 0)
  return {
    head: '',
    headIsCode: false,
    sentence: withParts((part) => {
      const to = part({ code: host })
      if (names.length === 0) return t(isOperators ? 'tool.relay-empty' : 'tool.remote-empty', { host: to })
      return t(isOperators ? 'tool.relay' : 'tool.remote', { host: to, names: shown.map(namedPlainly), count })
    }),
    body: { kind: 'arguments' },
  }
}

/** A name that could pass for words of the sentence is quoted in it. */
const namedPlainly = (name: string): string => (name === '…' || /^[\w.$-]{1,60}$/.test(name) ? name : quoted(name, 60))

const charactersOf = (value: JsonValue): number =>
  Array.from(typeof value === 'string' ? value : JSON.stringify(value)).length

/** Runs a registered tool, with the files that it declares. Expected failures are data, as for any tool. */
export type ToolExecutor = (args: JsonObject, context: ToolContext<FileAccess>) => Promise<ToolOutcome>

const notOffered = {
  imported: 'tool.imported',
  damaged: 'tool.damaged',
} as const

/** Why a call of a registered tool can't run in this tab, with the way on. */
export const notConnected = (name: string): ModelMessage => makeModelMessage('told.not-connected', { name })

/**
 * A registered tool in the form of other tools. The code that read the call has checked its arguments against the
 * schema; the tool's own server checks them last. Without `execute` it can be read and shown, and a run of it says why
 * not.
 */
export function toolOfRegistered(tool: RegisteredTool, execute?: ToolExecutor): ToolDefinition {
  const { name, description, parameters, permission, files, icon = 'plug', origin, remote } = tool
  const facts = remote ? remoteFacts(remote) : null
  const policy: Omit<ToolPolicy, 'capabilities'> = {
    permission: origin === 'registered' ? outsideLevel(permission) : 'sensitive',
    agentCallable: true,
    ...(origin !== 'registered' && { offByDefault: () => t(notOffered[origin]) }),
    ...(files === 'none' && { fromCode: true }),
    ...facts?.policy,
  }
  const definition = {
    spec: { name, description, parameters },
    policy: { ...policy, capabilities: { files, network: remote ? 'remote' : 'own server' } },
    card: { icon, tags: ['your own server'], summarize: () => summaryOf(tool), ...facts?.card },
    run: (args: JsonObject) => ({
      ok: true,
      run: (context: ToolContext<FileAccess>) =>
        execute?.(args, context) ?? Promise.resolve(refuse('not-connected', notConnected(name))),
    }),
  }
  // Its declaration decides which files its executor gets: `prepareCall` builds the context from it.
  return definition as ToolDefinition
}

/** A harmless tool reads and stays in the sandbox. The reach of a tool that others run can't be limited here. */
const outsideLevel = (declared: PermissionLevel): PermissionLevel => (declared === 'public' ? 'moderate' : declared)

/** Its title comes from its server, and the summary says so. */
const summaryOf = ({ name, title }: RegisteredTool): CallSummary => ({
  head: '',
  headIsCode: false,
  sentence: withParts((part) =>
    title === undefined
      ? t('tool.yours', { name: part({ code: name }) })
      : t('tool.yours-called', { name: part({ code: name }), title: quoted(title, 100) }),
  ),
  body: { kind: 'arguments' },
})

/** The tools of one conversation. The same set returns the same arrays. */
export interface ToolSet {
  /** In the order in which people see them: the built-in ones, then those that the conversation registered. */
  readonly list: () => readonly ToolDefinition[]
  readonly get: (name: string) => ToolDefinition | undefined
  /** What strategies need to know of the tools that models may call, sorted by name. */
  readonly specs: () => readonly ToolSpec[]
}

/**
 * The existing tools. Created by the wiring of the server and of the page, and passed to the code that parses replies,
 * builds prompts or shows cards.
 */
export interface ToolRegistry {
  /**
   * The tools of a conversation with its own tools from its rows. Equal rows return the same set. A name of a built-in
   * tool is that tool's, whatever a row says.
   */
  readonly of: (registered: readonly RegisteredTool[]) => ToolSet
  /** Every built-in tool, also those that few conversations have: what a page can run. */
  readonly builtIn: ToolSet
  /** Whether a tool of a conversation may have this name: no built-in tool has it, or uses it in VCP, in any case. */
  readonly isFree: (name: string) => boolean
}

/** A server handles many conversations; the oldest set is dropped first. */
const MAX_SETS = 64

/**
 * `access`: what the operator of this server switched on; tools that need something else are missing, but keep their
 * names. Throws on two tools of one name, which is a bug.
 */
export function createToolRegistry(
  all: readonly ToolDefinition[],
  access: ReadonlySet<string> = new Set(),
): ToolRegistry {
  const builtIn = all.filter(({ policy: { needs } }) => needs === undefined || access.has(needs))
  const taken = new Set(
    all.flatMap(({ spec: { name, vcpCommand = name } }) => [foldToolName(name), foldToolName(vcpCommand)]),
  )
  // `find_tools` is included if it may have something to find.
  const plain = toolSet(builtIn.filter(({ policy }) => !policy.findsTools))
  const byRows = new WeakMap<readonly RegisteredTool[], ToolSet>()
  const byText = new Map<string, ToolSet>()
  const isFree = (name: string) => !taken.has(foldToolName(name))

  function find(registered: readonly RegisteredTool[]): ToolSet {
    const text = JSON.stringify(registered)
    const known = byText.get(text)
    if (known) return known
    const [oldest] = byText.keys()
    if (byText.size >= MAX_SETS && oldest !== undefined) byText.delete(oldest)
    const isMany = registered.filter(({ remote }) => remote !== undefined).length > maxListed
    const set = toolSet([
      ...(isMany ? builtIn : plain.list()),
      ...registered.filter(({ name }) => isFree(name)).map((tool) => toolOfRegistered(tool)),
    ])
    byText.set(text, set)
    return set
  }

  return {
    isFree,
    builtIn: toolSet(builtIn),
    of(registered) {
      if (registered.length === 0) return plain
      const set = byRows.get(registered) ?? find(registered)
      byRows.set(registered, set)
      return set
    },
  }
}

function toolSet(tools: readonly ToolDefinition[]): ToolSet {
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]))
  if (byName.size !== tools.length) {
    throw new Error(`two tools share one name: ${tools.map(({ spec }) => spec.name).join(', ')}`)
  }
  const specs = tools
    .filter((tool) => tool.policy.agentCallable)
    .map(specOf)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { list: () => tools, get: (name) => byName.get(name), specs: () => specs }
}

const specOf = ({
  spec: { name, description, parameters, vcpCommand, vcpParameters, oneOf },
  policy,
}: ToolDefinition): ToolSpec => ({
  name,
  description,
  parameters,
  ...(policy.permission === 'sensitive' && { sensitive: true }),
  ...(policy.callsTools && { callsTools: policy.callsTools }),
  ...(policy.fromCode && { fromCode: policy.capabilities.network === 'off' ? 'here' : 'elsewhere' }),
  ...(vcpCommand !== undefined && { vcpCommand }),
  ...(vcpParameters !== undefined && { vcpParameters }),
  ...(oneOf !== undefined && { oneOf }),
})

import type { JsonObject } from '@/lib/base/json'
import type { CallAnswer, CallRequest, ConnectedServer } from '@/lib/shared/mcp/call-answer'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import type { CallOptions } from '@/lib/shared/mcp/session'
import { type McpTool, readServerUrl } from '@/lib/shared/conversation/settings/tool-server'
import { z } from 'zod'
import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { isOperatorName } from '@/lib/shared/mcp/operator-server'

/** A tool server from the operator's configuration. In texts, `${NOD_OWNER}` is replaced by the owner. */
export type OperatorServer = {
  readonly name: string
  /** One process for all owners, which share its state. */
  readonly isShared: boolean
} & (
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      /** Created if its name contains the owner. Null: the folder of this app. */
      readonly folder: string | null
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
)

/** Runs the tool servers. Rejects with AppErrors that contain no URL, path or secret. */
export interface ToolHost {
  readonly names: readonly string[]
  /** Asks the server now. */
  list(owner: string, name: string, signal: AbortSignal): Promise<ListedByHost>
  /** Asks the server now for what it offers to people. */
  offer(owner: string, name: string, ask: OfferRequest, signal: AbortSignal): Promise<Offer>
  /**
   * Starts the server if needed and checks that it lists exactly this tool. The result sends a call, and never rejects.
   */
  prepare(owner: string, name: string, tool: McpTool, signal: AbortSignal): Promise<PreparedRelay>
  /** Starts nothing new, gives running calls `graceMs`, then ends all processes. */
  close(graceMs: number): Promise<void>
}

export interface ListedByHost {
  readonly server: ConnectedServer
  readonly tools: readonly McpTool[]
  /** The address of a tool's page, by the tool's name. */
  readonly pages: readonly (readonly [tool: string, uri: string])[]
}

export interface PreparedRelay {
  call(args: JsonObject, options: CallOptions & Pick<CallRequest, 'timeoutMs'>): Promise<CallAnswer>
  /** Call it if nothing is sent after all. */
  release(): void
}

export const OWNER = '${NOD_OWNER}'

/** Given as text, or as the variable that contains it. */
const value = z.union([z.string(), z.strictObject({ env: z.string().trim().min(1) })])
const shared = z.boolean().optional()

const program = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().trim().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), value).optional(),
  cwd: z.string().trim().min(1).optional(),
  shared,
})
const address = z.strictObject({
  // Both are tried at either, as servers change.
  type: z.enum(['http', 'sse']),
  url: z.string(),
  headers: z.record(z.string(), value).optional(),
  shared,
})

export interface ReadServers {
  readonly servers: readonly OperatorServer[]
  /** Values that no log, error or response may contain. */
  readonly secrets: readonly string[]
  /** One sentence per error, which disables only its own server. */
  readonly problems: readonly ModelMessage[]
}

export interface ReadOptions {
  /** A variable's value; null: it is not set. */
  readonly variable: (name: string) => string | null
  /** Whether several users use this app: then anything shared between them must be marked as shared. */
  readonly isForMany: boolean
}

/** Reads `mcpServers` in `nod.config.json`. */
export function readOperatorServers(raw: unknown, options: ReadOptions): ReadServers {
  const entries = z.record(z.string(), z.unknown()).safeParse(raw ?? {})
  if (!entries.success) return { servers: [], secrets: [], problems: [makeModelMessage('config.tool-servers')] }
  const servers: OperatorServer[] = []
  const secrets: string[] = []
  const problems: ModelMessage[] = []
  for (const [name, entry] of Object.entries(entries.data)) {
    const read = readServer(name, entry, options)
    if ('reason' in read) problems.push(read)
    else {
      servers.push(read.server)
      secrets.push(...read.secrets)
    }
  }
  return { servers, secrets, problems }
}

/** The variables that it names, even if it is otherwise invalid. */
export function variablesOfServers(raw: unknown): readonly string[] {
  if (typeof raw !== 'object' || raw === null) return []
  const named = z.object({ env: z.string().trim().min(1) })
  const values = (one: unknown) => (typeof one === 'object' && one !== null ? Object.values(one) : [])
  return Object.values(raw).flatMap((entry: unknown) => {
    const { env, headers } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>
    return [...values(env), ...values(headers)].flatMap((one: unknown) => named.safeParse(one).data?.env ?? [])
  })
}

type Read = { readonly server: OperatorServer; readonly secrets: readonly string[] } | ModelMessage

function readServer(name: string, entry: unknown, { variable, isForMany }: ReadOptions): Read {
  if (!isOperatorName(name)) return makeModelMessage('config.tool-server-name', { name: name.slice(0, 60) })
  const isAddress = typeof entry === 'object' && entry !== null && ('url' in entry || 'headers' in entry)
  const decoded = (isAddress ? address : program).safeParse(entry)
  if (!decoded.success) return mistakeOf(name, decoded.error)
  const { data } = decoded
  const given = 'command' in data ? data.env : data.headers
  const values: Record<string, string> = {}
  for (const [key, setting] of Object.entries(given ?? {})) {
    const found = typeof setting === 'string' ? setting : variable(setting.env)
    if (found === null) {
      return makeModelMessage('config.tool-server-unset', {
        name,
        key,
        variable: typeof setting === 'string' ? '' : setting.env,
      })
    }
    values[key] = found
  }
  const isShared = data.shared === true
  const secrets = Object.values(values).filter((one) => one.length >= MIN_SECRET && !one.includes(OWNER))
  if ('command' in data) {
    const { command, args = [], cwd = null } = data
    const isPerOwner = [...args, ...Object.values(values), cwd ?? ''].some((text) => text.includes(OWNER))
    if (isForMany && !isShared && !isPerOwner)
      return makeModelMessage('config.tool-server-shared', { name, owner: OWNER })
    if (isShared && isPerOwner) return makeModelMessage('config.tool-server-both', { name, owner: OWNER })
    return { server: { kind: 'stdio', name, isShared, command, args, env: values, folder: cwd }, secrets }
  }
  const url = readServerUrl(data.url)
  if (url === null || !/^https?:\/\//i.test(data.url.trim()))
    return makeModelMessage('config.tool-server-url', { name })
  const bad = Object.entries(values).find(([key, text]) => !isHeader(key, text))
  if (bad) return makeModelMessage('config.tool-server-header', { name, key: bad[0] })
  const isPerOwner = Object.values(values).some((text) => text.includes(OWNER))
  if (isForMany && !isShared && !isPerOwner)
    return makeModelMessage('config.tool-server-shared', { name, owner: OWNER })
  return { server: { kind: 'http', name, isShared, url, headers: values }, secrets }
}

/** Removing a shorter value ("on", "8080") from texts would make logs unreadable. */
const MIN_SECRET = 8

/** The protocol sets these itself. */
const reserved = /^(?:accept|content-type|content-length|host|connection|mcp-.*|last-event-id)$/i

const isHeader = (name: string, text: string): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !reserved.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** zod's first issue with its position, without the values. */
function mistakeOf(name: string, error: z.ZodError): ModelMessage {
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys')
    return makeModelMessage('config.tool-server-unknown', { name, names: issue.keys })
  const place = issue?.path.map(String).join('.') ?? ''
  return place === ''
    ? makeModelMessage('config.tool-server-form', { name })
    : makeModelMessage('config.tool-server-value', { name, place })
}

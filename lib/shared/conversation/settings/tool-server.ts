import type { JsonObject } from '@/lib/base/json'

/** A server's description of one tool, as far as it is stored. All of it is foreign text. */
export interface McpTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /** Hints: they can only raise a level. */
  readonly annotations?: JsonObject
  /** Who may ask for it: only models, or only pages of its server. Left out: both. */
  readonly visibility?: 'model' | 'app'
  readonly page?: ToolPage
}

/** The page that shows the results of a tool (MCP Apps), as it was read with the list of tools. */
export type ToolPage = {
  /** Begins with `ui:`. */
  readonly uri: string
  /** SHA-256 of its text and of the network addresses that it wants. */
  readonly hash: string
  readonly chars: number
  /** Addresses that it wants to load from or send to. A page with any of them stays closed. */
  readonly needs: readonly string[]
}

/** A tool server (MCP) of one owner. */
export interface ToolServer {
  readonly id: string
  /** http or https, without credentials; `nod:NAME` for a server of the operator. */
  readonly url: string
  /** For people. */
  readonly name: string
  /** The prefix of its tools' names. Fixed when it is added, because stored replies use it. */
  readonly prefix: string
  readonly isOn: boolean
  /**
   * The protocol version of the last connection, and when (epoch ms). Null: never. `legacy` is checked again after a
   * week.
   */
  readonly era: { readonly kind: 'modern' | 'legacy'; readonly version: string; readonly at: number } | null
  /** The set of tools that its owner approved; null: none. */
  readonly approvedHash: string | null
  /** Hashes of single tools that its owner read and did not approve. */
  readonly declined: readonly string[]
}

/** What is stored at once: the server, and with `tools` its approved tools; left out: they stay as they are. */
export interface ToolServerToSave extends Omit<ToolServer, 'id' | 'approvedHash'> {
  readonly tools?: readonly McpTool[]
}

/**
 * The set of tools that one chat uses of one server. It stays when the server is removed, so that old calls can be
 * read.
 */
export interface ToolSetRef {
  readonly server: string
  readonly host: string
  readonly prefix: string
  readonly hash: string
}

export const toolServerLimits = {
  maxServers: 32,
  /** Sets that an owner's chats and servers use, including earlier ones. */
  maxSets: 200,
  maxToolsOfSet: 250,
  /** As JSON. */
  maxSetChars: 500_000,
  maxNameChars: 60,
  maxUrlChars: 2_000,
  maxDescriptionChars: 16_000,
  maxDeclined: 500,
  maxPageChars: 5_000_000,
  maxPageNeeds: 20,
} as const

/** The host of an address, with its port; for a server of the operator, its name. */
export const hostOf = (url: string): string => (url.startsWith('nod:') ? url.slice(4) : new URL(url).host)

/** Converts typed text to the stored address; null: it is none that a page can reach. */
export function readServerUrl(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || /\s/.test(text) || text.length > toolServerLimits.maxUrlChars) return null
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(withScheme)) return null
  const url = new URL(withScheme)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href
}

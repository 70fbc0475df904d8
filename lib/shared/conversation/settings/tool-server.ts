import type { JsonObject } from '@/lib/base/json'

/** What a server says of one tool, as far as it is kept. All of it is foreign text. */
export interface McpTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /** Hints: they only ever raise a level. */
  readonly annotations?: JsonObject
  /** Who may ask for it: models alone, or pages of its server alone. Left out: both. */
  readonly visibility?: 'model' | 'app'
  readonly page?: ToolPage
}

/** The page that shows the results of a tool (MCP Apps), as it was read beside the list of tools. */
export type ToolPage = {
  /** Begins with `ui:`. */
  readonly uri: string
  /** SHA-256 of its text and of what it wants from the network. */
  readonly hash: string
  readonly chars: number
  /** Addresses that it wants to load from or send to. With any of them it stays closed. */
  readonly needs: readonly string[]
}

/** A tool server (MCP) of one owner. */
export interface ToolServer {
  readonly id: string
  /** http or https, without credentials; `nod:NAME` for a server of the operator. */
  readonly url: string
  /** For people. */
  readonly name: string
  /** Begins the names of its tools. Fixed when it is added: stored replies name them so. */
  readonly prefix: string
  readonly isOn: boolean
  /** How it was last connected to, and when (epoch ms). Null: never. `legacy` is asked again after a week. */
  readonly era: { readonly kind: 'modern' | 'legacy'; readonly version: string; readonly at: number } | null
  /** The set of tools that its owner approved; null: none. */
  readonly approvedHash: string | null
  /** Hashes of single tools that its owner read and did not approve. */
  readonly declined: readonly string[]
}

/** What is stored at once: the server, and with `tools` what was approved of it; left out: that stays as it is. */
export interface ToolServerToSave extends Omit<ToolServer, 'id' | 'approvedHash'> {
  readonly tools?: readonly McpTool[]
}

/** The set of tools that one chat uses of one server. It stays when the server goes, so that old calls can be read. */
export interface ToolSetRef {
  readonly server: string
  readonly host: string
  readonly prefix: string
  readonly hash: string
}

export const toolServerLimits = {
  maxServers: 32,
  /** Sets that an owner's chats and servers use, with those of before. */
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

/** The host of an address, with its port; of a server of the operator, its name. */
export const hostOf = (url: string): string => (url.startsWith('nod:') ? url.slice(4) : new URL(url).host)

/** What a person typed as the address that is kept; null: it is none that a page can ask. */
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

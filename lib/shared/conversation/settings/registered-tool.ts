import type { GlyphName } from '@/lib/base/text/glyphs'
import type { JsonObject } from '@/lib/base/json'
import type { ToolCallConfig } from '../conversation'

/** `public` may be ticked to run alone, `moderate` may be remembered, `sensitive` asks every time. */
export const permissionLevels = ['public', 'moderate', 'sensitive'] as const
export type PermissionLevel = (typeof permissionLevels)[number]

/** What a call does with the chat's files. */
export const fileAccess = ['none', 'read', 'write'] as const
export type FileAccess = (typeof fileAccess)[number]

/**
 * Where a call can reach. `off`: nowhere, the page and the sandbox hold it to that. `own server`: it is carried out by what
 * the user connected, and how far that reaches nobody here can hold. `remote`: its
 * arguments leave the browser for a server (MCP). `web`: this app's server sends its arguments to the web. Shown on cards as it
 * stands.
 */
type NetworkAccess = 'off' | 'own server' | 'remote' | 'web'

/** What a call may touch: said on its card. */
export interface Capabilities<A extends FileAccess = FileAccess> {
  readonly files: A
  readonly network: NetworkAccess
}

/**
 * A tool that one conversation has besides the built-in ones: all that anybody needs to know of it without its code, so
 * that any node and any tab reads its calls. What carries it out is connected in a tab (`connected-tools.ts`).
 */
export interface ToolToRegister {
  readonly name: string
  /** For models, and for people in the settings. The words of others: shown and printed as such. */
  readonly description: string
  /** JSON Schema of its arguments, of type object; `tameSchema` says which are taken. */
  readonly parameters: JsonObject
  readonly permission: PermissionLevel
  /** What its code gets of the chat's files. */
  readonly files: FileAccess
  /** Left out: that of a connection. */
  readonly icon?: GlyphName
  /** What it does, as its own server calls it, for the sentence of its card; left out: its name says it. */
  readonly title?: string
}

export interface RegisteredTool extends ToolToRegister {
  /**
   * `registered`: here, by its owner. `imported`: it came with a chat that anybody may have written. `damaged`: its row could
   * not be read, and what stands here stands in for it. Only what was registered is offered to models by itself.
   */
  readonly origin: 'registered' | 'imported' | 'damaged'
  /** Left out: what carries it out was registered in a page. */
  readonly remote?: RemoteTool
}

/** Where a tool of an MCP server runs. */
export interface RemoteTool {
  /** The id of the server among those of its owner. */
  readonly server: string
  /** With its port. */
  readonly host: string
  /** As the server calls the tool: what is sent is never made of our name. */
  readonly name: string
}

export const registeredToolLimits = {
  maxTools: 64,
  /** Of all tools of a conversation, as JSON. */
  maxTotalChars: 256_000,
  maxDescriptionChars: 4_000,
  maxParametersChars: 32_000,
  maxTitleChars: 100,
} as const

/** A new conversation: tools on, every tool offered, each call waits for a click. */
export const defaultToolConfig: ToolCallConfig = {
  enabled: true,
  mode: 'manual',
  requireConfirmation: false,
  grantLifetimeMs: null,
  toolToggles: {},
  defaultToolEnabled: true,
  toolRules: {},
  resultGate: 'never',
  maxIterations: 5,
  maxCallsPerReply: 20,
  timeoutMs: 30_000,
  parallelExecution: false,
  codeChanges: 'keep',
  approvalUi: 'inline',
}

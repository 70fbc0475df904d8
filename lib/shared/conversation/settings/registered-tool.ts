import type { GlyphName } from '@/lib/base/text/glyphs'
import type { JsonObject } from '@/lib/base/json'
import type { ToolCallConfig } from '../conversation'

/** `public` may be set to run automatically, `moderate` may be remembered, `sensitive` asks every time. */
export const permissionLevels = ['public', 'moderate', 'sensitive'] as const
export type PermissionLevel = (typeof permissionLevels)[number]

/** How a call uses the chat's files. */
export const fileAccess = ['none', 'read', 'write'] as const
export type FileAccess = (typeof fileAccess)[number]

/**
 * Where a call can reach. `off`: nowhere, enforced by the page and the sandbox. `own server`: it runs in what the user
 * connected, whose reach Nod can't limit. `remote`: its arguments leave the browser for a server (MCP). `web`: this
 * app's server sends its arguments to the web. Cards show it.
 */
type NetworkAccess = 'off' | 'own server' | 'remote' | 'web'

/** What a call may touch, shown on its card. */
export interface Capabilities<A extends FileAccess = FileAccess> {
  readonly files: A
  readonly network: NetworkAccess
}

/**
 * A tool that one conversation has besides the built-in ones: everything needed to know about it without its code, so
 * that any node and any tab can read its calls. Its executor is connected in a tab (`connected-tools.ts`).
 */
export interface ToolToRegister {
  readonly name: string
  /** For models, and for people in the settings. Foreign text, shown and printed as such. */
  readonly description: string
  /** JSON Schema of its arguments, of type object; `tameSchema` says which are accepted. */
  readonly parameters: JsonObject
  readonly permission: PermissionLevel
  /** The access of its code to the chat's files. */
  readonly files: FileAccess
  /** Left out: that of a connection. */
  readonly icon?: GlyphName
  /** Its server's name for its action, for the sentence of its card; left out: its name is used. */
  readonly title?: string
}

export interface RegisteredTool extends ToolToRegister {
  /**
   * `registered`: here, by its owner. `imported`: it came with a chat that anybody may have written. `damaged`: its row
   * could not be read, and this replaces it. Only a registered one is offered to models by default.
   */
  readonly origin: 'registered' | 'imported' | 'damaged'
  /** Left out: its executor was registered in a page. */
  readonly remote?: RemoteTool
}

/** Where a tool of an MCP server runs. */
export interface RemoteTool {
  /** The id of the server among its owner's. */
  readonly server: string
  /** With its port. */
  readonly host: string
  /** The server's own name for the tool: our name is never used in requests. */
  readonly name: string
}

export const registeredToolLimits = {
  maxTools: 64,
  /** The limit for all tools of a conversation, as JSON. */
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

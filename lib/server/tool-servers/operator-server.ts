import type { JsonObject } from '@/lib/base/json'
import type { CallAnswer, CallRequest, ConnectedServer } from '@/lib/shared/mcp/call-answer'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import type { CallOptions } from '@/lib/shared/mcp/session'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'

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

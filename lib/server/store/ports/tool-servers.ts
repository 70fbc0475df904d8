import type { ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'

/** A set of approved tools for storing. */
export interface ToolSetToSave {
  readonly hash: string
  /** Canonical JSON of the tools; `hash` is computed from it. */
  readonly text: string
}

/** An owner's tool servers (MCP), and the tool sets that chats use of them. */
export interface ToolServerStore {
  /** In the order in which they were added. */
  listToolServers(owner: string): Promise<readonly ToolServer[]>
  /**
   * Adds or replaces a server. `set`: its approved tools; null: unchanged. Rejects with AppError `conflict` if there
   * would be too many or another server has the prefix, and if the owner's storage is full.
   */
  saveToolServer(
    owner: string,
    id: string,
    server: Omit<ToolServerToSave, 'tools'>,
    set: ToolSetToSave | null,
    space: { readonly maxBytes: number | null; readonly now: number },
  ): Promise<ToolServer>
  /** Chats keep its sets, to read old calls. Removing a missing server is not an error. */
  removeToolServer(owner: string, id: string): Promise<void>
  /** Null: there is none. */
  loadToolSet(owner: string, hash: string): Promise<readonly McpTool[] | null>
  /**
   * Updates a chat to the currently approved tools of these servers, if they are enabled. Grants and rules of changed
   * tools end. Returns all tools and sets of the chat.
   */
  useToolServers(
    owner: string,
    conversationId: string,
    servers: readonly string[],
    now: number,
  ): Promise<{ readonly tools: readonly RegisteredTool[]; readonly toolSets: readonly ToolSetRef[] }>
}

import type { ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'

/** A set of approved tools, as it is stored. */
export interface ToolSetToSave {
  readonly hash: string
  /** Canonical JSON of the tools, of which `hash` is made. */
  readonly text: string
}

/** Tool servers (MCP) of an owner, and the sets of tools that chats use of them. */
export interface ToolServerStore {
  /** In the order in which they were added. */
  listToolServers(owner: string): Promise<readonly ToolServer[]>
  /**
   * Adds or replaces one; `set`: what was approved of it, null: that stays as it is. Rejects with AppError `conflict` where there would be
   * too many, or another server has the prefix, and where the owner keeps as much as may be.
   */
  saveToolServer(
    owner: string,
    id: string,
    server: Omit<ToolServerToSave, 'tools'>,
    set: ToolSetToSave | null,
    space: { readonly maxBytes: number | null; readonly now: number },
  ): Promise<ToolServer>
  /** Chats keep its sets, to read old calls by. One that is gone already is gone. */
  removeToolServer(owner: string, id: string): Promise<void>
  /** Null: there is none. */
  loadToolSet(owner: string, hash: string): Promise<readonly McpTool[] | null>
  /**
   * Moves a chat to what is approved now of these servers, as far as they are on. Grants and rules of tools that changed end. Gives all
   * tools and sets of the chat.
   */
  useToolServers(
    owner: string,
    conversationId: string,
    servers: readonly string[],
    now: number,
  ): Promise<{ readonly tools: readonly RegisteredTool[]; readonly toolSets: readonly ToolSetRef[] }>
}

import { makeError } from '@/lib/i18n/t'
import type { ToolsOfChat } from '@/lib/shared/conversation/wire/api-types'
import { setHash, setText } from '@/lib/shared/mcp/compare-tools'
import type { McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'
import { refuseFalseOperator } from './relay-service'
import type { ChatServicePorts } from '@/lib/server/stored-chats/chat-service-ports'

/**
 * An owner's tool servers (MCP). Browsers connect to them; this app's server connects only to those of its operator
 * (`relay-service.ts`).
 */
export interface ToolServerService {
  toolServers(owner: string): Promise<readonly ToolServer[]>
  /** With `tools`: the tools that the owner approved. */
  saveToolServer(owner: string, id: string, server: ToolServerToSave): Promise<ToolServer>
  /** Removing a missing server is not an error. */
  removeToolServer(owner: string, id: string): Promise<void>
  toolSet(owner: string, hash: string): Promise<readonly McpTool[]>
  /** Updates a chat to the currently approved tools of these servers. */
  useToolServers(owner: string, conversationId: string, servers: readonly string[]): Promise<ToolsOfChat>
}

export function createToolServerService({
  store,
  clock,
  limits,
  toolHost,
}: Pick<ChatServicePorts, 'store' | 'clock' | 'limits' | 'toolHost'>): ToolServerService {
  return {
    toolServers: (owner) => store.listToolServers(owner),

    async saveToolServer(owner, id, { tools, ...server }) {
      refuseFalseOperator(id, server, toolHost?.names ?? [], tools !== undefined)
      const set = tools ? { hash: await setHash(tools), text: setText(tools) } : null
      const space = { maxBytes: limits.fair.maxBytesPerOwner, now: clock.now() }
      return store.saveToolServer(owner, id, server, set, space)
    },

    removeToolServer: (owner, id) => store.removeToolServer(owner, id),

    async toolSet(owner, hash) {
      const tools = await store.loadToolSet(owner, hash)
      if (!tools) throw makeError('not-found', 'chat.no-tool-set')
      return tools
    },

    async useToolServers(owner, conversationId, servers) {
      const { tools, toolSets } = await store.useToolServers(owner, conversationId, servers, clock.now())
      return { tools: tools.filter(({ remote }) => remote === undefined), toolSets }
    },
  }
}

import type { McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'
import type { ToolsOfChat } from '@/lib/shared/conversation/wire/api-types'
import { createApiClient } from './api-client'

/** What tool servers (MCP) ask of Nod's server; nothing of it is needed before there is one. */
export function createToolServerApi(fetchFrom: typeof fetch) {
  const { ask, askFor, tell } = createApiClient(fetchFrom)
  const at = (id: string) => `/api/servers/${encodeURIComponent(id)}`
  return {
    toolServers: () => askFor<readonly ToolServer[]>('servers', 'GET', '/api/servers'),
    saveToolServer: (id: string, body: ToolServerToSave) => askFor<ToolServer>('server', 'PUT', at(id), { body }),
    removeToolServer: (id: string) => tell('DELETE', at(id)),
    toolSet: (hash: string) => askFor<readonly McpTool[]>('tools', 'GET', `/api/tool-sets/${hash}`),
    useToolServers: (conversationId: string, servers: readonly string[]) =>
      ask<ToolsOfChat>('PUT', `/api/conversations/${encodeURIComponent(conversationId)}/servers`, {
        body: { servers },
      }),
  }
}

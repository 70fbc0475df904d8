import type { McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'
import type { ToolsOfChat } from '@/lib/shared/conversation/wire/api-types'
import type { AnswerRelay, RelayCall } from '@/lib/shared/conversation/wire/call-requests'
import type { ConnectedServer } from '@/lib/shared/mcp/call-answer'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import { createApiClient } from './api-client'

export interface OperatorTools {
  readonly server: ConnectedServer
  readonly tools: readonly McpTool[]
  /** Addresses of pages, by the name of the tool. */
  readonly pages: readonly (readonly [tool: string, uri: string])[]
}

/** The requests for tool servers (MCP). Loaded when there is one. */
export function createToolServerApi(fetchFrom: typeof fetch) {
  const { request, ask, askFor, tell } = createApiClient(fetchFrom)
  const at = (id: string) => `/api/servers/${encodeURIComponent(id)}`
  return {
    toolServers: () => askFor<readonly ToolServer[]>('servers', 'GET', '/api/servers'),
    saveToolServer: (id: string, body: ToolServerToSave) => askFor<ToolServer>('server', 'PUT', at(id), { body }),
    operatorServers: () => askFor<readonly string[]>('operator', 'GET', '/api/servers'),
    /** Returns the tools that a server of the operator lists now. */
    operatorTools: (id: string, signal: AbortSignal) =>
      askFor<OperatorTools>('listed', 'POST', `${at(id)}/tools`, { signal }),
    /** Sets what a server of the operator offers to users. */
    operatorOffer: (id: string, body: OfferRequest, signal: AbortSignal) =>
      askFor<Offer>('offer', 'POST', `${at(id)}/offer`, { body, signal }),
    /** The response is a stream of `RelayLine`s. */
    relayCall: (conversationId: string, body: RelayCall, signal: AbortSignal) =>
      request('POST', `/api/conversations/${encodeURIComponent(conversationId)}/calls/relay`, { body, signal }),
    /** Answers a question in that stream. */
    answerRelay: (conversationId: string, body: AnswerRelay) =>
      tell('PUT', `/api/conversations/${encodeURIComponent(conversationId)}/calls/relay`, { body }),
    removeToolServer: (id: string) => tell('DELETE', at(id)),
    toolSet: (hash: string) => askFor<readonly McpTool[]>('tools', 'GET', `/api/tool-sets/${hash}`),
    useToolServers: (conversationId: string, servers: readonly string[]) =>
      ask<ToolsOfChat>('PUT', `/api/conversations/${encodeURIComponent(conversationId)}/servers`, {
        body: { servers },
      }),
  }
}

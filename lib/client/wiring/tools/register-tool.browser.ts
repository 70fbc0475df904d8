import type { ApiAnswer } from '@/lib/client/api/api-failure'
import { registerTool, type RegisterToolPorts } from '@/lib/client/chats/register-tool'
import type { ToolToRegister, RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { ToolExecutor } from '@/lib/shared/tools/tool-registry'
import { createConnectedTools } from '@/lib/shared/tools/connected-tools'

/** The executors of registered tools in this page. */
export const connectedTools = createConnectedTools()

/** Those of a chat's own tools that this page can run, which are the ones that a model is offered. */
export const connectedOf = (conversationId: string, registered: readonly RegisteredTool[]): readonly RegisteredTool[] =>
  registered.filter(({ name }) => connectedTools.get(conversationId, name) !== undefined)

export const registerInThisBrowser = (
  ports: Omit<RegisterToolPorts, 'connected'>,
  conversationId: string,
  tool: ToolToRegister,
  execute: ToolExecutor,
): Promise<ApiAnswer<() => void>> =>
  registerTool({ ...ports, connected: connectedTools }, conversationId, tool, execute)

import type { RegisteredTool, ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import type { ApiAnswer } from '@/lib/client/api/api-failure'
import { registerTool, type RegisterToolPorts } from '@/lib/client/chats/register-tool'
import type { ToolExecutor } from '@/lib/shared/tools/tool-registry'
import { createConnectedTools } from '@/lib/shared/tools/connected-tools'

/* Connects the page's store, which is in the first load, with tool servers, which load when there is one. */

type Listener = (conversationId: string, tools: readonly RegisteredTool[]) => void

const listeners = new Set<Listener>()

export const watchToolsOfChats = (listener: Listener): void => void listeners.add(listener)

export const announceToolsOfChat: Listener = (conversationId, tools) => {
  for (const listener of listeners) listener(conversationId, tools)
}

/** The storage key that says that this owner has tool servers. */
export const toolServersKey = 'tool-servers'

/** The same for skills: without it no prompt looks for them. */
export const skillsKey = 'skills'

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

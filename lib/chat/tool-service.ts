import type { RegisteredTool, ToolToRegister } from '@/lib/conversation/registered-tool'
import { makeError } from '@/lib/i18n/t'
import type { ChatServicePorts } from './chat-service-ports'

export interface ToolService {
  /** Gives a conversation a tool of its own, or another spec of one; gives all that it has now. */
  registerTool(owner: string, conversationId: string, tool: ToolToRegister): Promise<readonly RegisteredTool[]>
  /** Takes one out; gives those that are left. */
  removeTool(owner: string, conversationId: string, name: string): Promise<readonly RegisteredTool[]>
}

/** Tools that conversations have for themselves. Rejects with AppError `conflict` where the name is one of Nod's. */
export function createToolService({
  store,
  clock,
  limits,
  isFreeToolName,
}: Pick<ChatServicePorts, 'store' | 'clock' | 'limits' | 'isFreeToolName'>): ToolService {
  return {
    async registerTool(owner, conversationId, tool) {
      if (!isFreeToolName(tool.name)) {
        throw makeError('conflict', 'chat.tool-name-taken', { name: tool.name })
      }
      const registered = { ...tool, origin: 'registered' } as const
      return store.registerTool(owner, conversationId, registered, clock.now(), limits.fair.maxBytesPerOwner)
    },
    removeTool: (owner, conversationId, name) => store.removeTool(owner, conversationId, name, clock.now()),
  }
}

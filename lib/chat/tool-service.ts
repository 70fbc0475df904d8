import { AppError } from '@/lib/base/app-error'
import type { RegisteredTool, ToolToRegister } from '@/lib/conversation/registered-tool'
import type { ChatServicePorts } from './chat-service-ports'

export interface ToolService {
  /** Gives a conversation a tool of its own, or another spec of one; gives all that it has now. */
  registerTool(owner: string, conversationId: string, tool: ToolToRegister): Promise<readonly RegisteredTool[]>
}

/** Tools that conversations have for themselves. Rejects with AppError `conflict` where the name is one of Nod's. */
export function createToolService({
  store,
  clock,
  isFreeToolName,
}: Pick<ChatServicePorts, 'store' | 'clock' | 'isFreeToolName'>): ToolService {
  return {
    async registerTool(owner, conversationId, tool) {
      if (!isFreeToolName(tool.name)) {
        const why = `Nod has a tool of its own called ${tool.name}, or much like it. Choose another name.`
        throw new AppError('conflict', why)
      }
      return store.registerTool(owner, conversationId, { ...tool, origin: 'registered' }, clock.now())
    },
  }
}

import type { ApiAnswer } from '@/lib/client/api/api-failure'
import { registerTool, type RegisterToolPorts } from '@/lib/client/chats/register-tool'
import type { ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import type { ToolExecutor } from '@/lib/shared/tools/registered-tool'
import { connectedTools } from './connected-tools.browser'

export const registerInThisBrowser = (
  ports: Omit<RegisterToolPorts, 'connected'>,
  conversationId: string,
  tool: ToolToRegister,
  execute: ToolExecutor,
): Promise<ApiAnswer<() => void>> =>
  registerTool({ ...ports, connected: connectedTools }, conversationId, tool, execute)

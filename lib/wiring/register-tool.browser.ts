import type { ApiAnswer } from '@/lib/client/api-failure'
import { registerTool, type RegisterToolPorts } from '@/lib/client/register-tool'
import type { ToolToRegister } from '@/lib/conversation/registered-tool'
import type { ToolExecutor } from '@/lib/tools/registered-tool'
import { connectedTools } from './connected-tools.browser'

export const registerInThisBrowser = (
  ports: Omit<RegisterToolPorts, 'connected'>,
  conversationId: string,
  tool: ToolToRegister,
  execute: ToolExecutor,
): Promise<ApiAnswer<() => void>> =>
  registerTool({ ...ports, connected: connectedTools }, conversationId, tool, execute)

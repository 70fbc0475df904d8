import type { ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import type { ConnectedTools } from '@/lib/shared/tools/connected-tools'
import type { ToolExecutor } from '@/lib/shared/tools/tool-registry'
import { ok } from '@/lib/base/result'
import type { ApiAnswer } from '../api/api-failure'
import type { NodApi } from '../api/nod-api'
import type { ClientEvent, ClientState } from '../state/state'

export interface RegisterToolPorts {
  readonly api: Pick<NodApi, 'registerTool' | 'createConversation'>
  readonly getState: () => ClientState
  readonly dispatch: (event: Extract<ClientEvent, { type: 'tools-changed' | 'conversation-changed' }>) => void
  /** Notifies the other tabs that a conversation changed. */
  readonly announce: (conversationId: string) => void
  readonly connected: ConnectedTools
}

/**
 * Gives a conversation a tool of its own and connects its executor in this page. The tool's spec is stored with the
 * conversation, so that its calls are read on every node and after a reload. The executor ends with the page;
 * registering the same tool again connects it again. Returns the function that disconnects it. If the server refuses,
 * nothing is connected.
 */
export async function registerTool(
  ports: RegisterToolPorts,
  conversationId: string,
  tool: ToolToRegister,
  execute: ToolExecutor,
): Promise<ApiAnswer<() => void>> {
  const view = ports.getState().open.get(conversationId)
  if (view?.phase === 'new' && view.conversation) {
    const { settings } = view.conversation
    const created = await ports.api.createConversation({ id: conversationId, settings })
    if (!created.ok) return created
    ports.dispatch({ type: 'conversation-changed', conversation: created.value })
  }
  const tools = await ports.api.registerTool(conversationId, tool)
  if (!tools.ok) return tools
  const disconnect = ports.connected.connect(conversationId, tool, execute)
  ports.dispatch({ type: 'tools-changed', conversationId, tools: tools.value })
  ports.announce(conversationId)
  return ok(disconnect)
}

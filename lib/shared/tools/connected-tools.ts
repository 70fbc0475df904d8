import type { RemoteTool, ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import type { ToolExecutor } from './tool-registry'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'

/**
 * The executors of registered tools of conversations in this page: their servers are connected here, or nowhere. They
 * end with the page; the tools' specs are stored in the conversations' rows.
 */
export interface ConnectedTools {
  /** Replaces one of the same name. Returns the function that disconnects it. */
  connect(conversationId: string, tool: ToolToConnect, execute: ToolExecutor): () => void
  get(conversationId: string, name: string): ConnectedTool | undefined
  /** Those of one conversation. */
  of(conversationId: string): readonly ToolToConnect[]
  /** Each with the conversation that it is connected for. */
  all(): readonly { readonly conversationId: string; readonly name: string }[]
}

/** `remote`: it is a tool of a server. */
export type ToolToConnect = ToolToRegister & { readonly remote?: RemoteTool }

interface ConnectedTool {
  readonly conversationId: string
  readonly tool: ToolToConnect
  readonly execute: ToolExecutor
}

export function createConnectedTools(): ConnectedTools {
  const byKey = new Map<string, ConnectedTool>()
  const keyOf = (conversationId: string, name: string) => `${conversationId} ${name}`
  return {
    connect(conversationId, tool, execute) {
      const key = keyOf(conversationId, tool.name)
      const connected = { conversationId, tool, execute }
      byKey.set(key, connected)
      return () => {
        if (byKey.get(key) === connected) byKey.delete(key)
      }
    },
    get: (conversationId, name) => byKey.get(keyOf(conversationId, name)),
    of: (conversationId) =>
      [...byKey.values()].flatMap((one) => (one.conversationId === conversationId ? [one.tool] : [])),
    all: () => [...byKey.values()].map(({ conversationId, tool: { name } }) => ({ conversationId, name })),
  }
}

/**
 * The offer for a page that is connected to the tools in `connected`: the chat's other own tools are `disabled`. A
 * model never gets a tool that nothing can run. `own`: the names of the chat's own tools.
 */
export const offerConnected = (
  specs: readonly ToolSpec[],
  own: readonly string[],
  connected: readonly string[],
): readonly ToolSpec[] =>
  own.every((name) => connected.includes(name))
    ? specs
    : specs.map((spec) =>
        own.includes(spec.name) && !connected.includes(spec.name) ? { ...spec, disabled: true } : spec,
      )

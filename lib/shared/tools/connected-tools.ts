import type { RemoteTool, ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import type { ToolExecutor } from './tool-registry'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'

/**
 * What carries out the registered tools of conversations in this page: their servers are connected here, or nowhere. It is
 * gone with the page; what is known of the tools stands in the conversations' rows.
 */
export interface ConnectedTools {
  /** Takes the place of one of the same name. Gives what takes this one out again. */
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
 * What is offered where the asking page is connected to the tools named `connected`: the chat's own tools beside them are
 * `disabled`. A model is never told of a tool that nobody can carry out. `own`: the names of the chat's own tools.
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

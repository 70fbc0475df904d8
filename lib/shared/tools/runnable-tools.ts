import { refusalText } from '@/lib/i18n/t'
import type { ConnectedTools } from './connected-tools'
import type { ToolDefinition } from './tool'
import { type ToolSet, notConnected, toolOfRegistered } from './tool-registry'

/** What a page can run for one conversation: the built-in tools, and registered ones that are connected in it. */
export interface RunnableTools {
  readonly get: (name: string) => ToolDefinition | undefined
  /** Why a tool that the conversation knows can't run here, with the way on; null: it can. */
  readonly missing: (name: string) => string | null
}

export function runnableTools(builtIn: ToolSet, connected: ConnectedTools, conversationId: string): RunnableTools {
  const get = (name: string) => {
    const own = connected.get(conversationId, name)
    return builtIn.get(name) ?? (own && toolOfRegistered({ ...own.tool, origin: 'registered' }, own.execute))
  }
  return { get, missing: (name) => (get(name) ? null : refusalText(notConnected(name))) }
}

'use client'

import { createContext, useContext, useMemo } from 'react'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolRegistry, ToolSet } from '@/lib/shared/tools/tool-registry'
import { connectedOf } from '@/lib/client/wiring/tools/chat-tools.browser'
import { toolRegistry } from '@/lib/client/wiring/tools/page-tools.browser'
import { useConversation } from './chat-context'

// The first load must not import this file, because it includes the built-in tools.

const ToolRegistryContext = createContext<ToolRegistry>(toolRegistry)

export const ToolRegistryProvider = ToolRegistryContext

/** The tools of the open conversation. */
export function useTools(): ToolSet {
  const registered = useConversation((view) => view.tools)
  return useContext(ToolRegistryContext).of(registered)
}

/** The tools that may be offered to its model. The chat's own tools count only if this page can run them. */
export function useOfferableTools(): ToolSet {
  const id = useConversation((view) => view.id)
  const registered = useConversation((view) => view.tools)
  const registry = useContext(ToolRegistryContext)
  return registry.of(registered.length === 0 ? none : connectedOf(id, registered))
}

/** The tools that are described to its model; none if tools are off. `config` is null if unknown. */
export function useOfferedTools(config: ToolCallConfig | null): ReturnType<typeof discoverTools> {
  const all = useOfferableTools()
  return useMemo(
    () => (config?.enabled ? discoverTools(all, config).filter((tool) => tool.disabled !== true) : []),
    [all, config],
  )
}

/** The tools that every conversation has. */
export const useBuiltInTools = (): ToolSet => useContext(ToolRegistryContext).of(none)

const none: readonly [] = []

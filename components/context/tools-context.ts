'use client'

import { createContext, useContext } from 'react'
import type { ToolRegistry, ToolSet } from '@/lib/tools/tool-registry'
import { toolRegistry } from '@/lib/wiring/tool-registry'
import { useConversation } from './chat-context'

// Nothing of the first load imports this file: it brings the built-in tools along.

const ToolRegistryContext = createContext<ToolRegistry>(toolRegistry)

export const ToolRegistryProvider = ToolRegistryContext

/** The tools of the open conversation. */
export function useTools(): ToolSet {
  const registered = useConversation((view) => view.tools)
  return useContext(ToolRegistryContext).of(registered)
}

/** The tools that every conversation has. */
export const useBuiltInTools = (): ToolSet => useContext(ToolRegistryContext).of(none)

const none: readonly [] = []

'use client'

import { createContext, useContext } from 'react'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { toolRuntimes } from '@/lib/client/wiring/tool-runtimes.browser'

/** Gives cards access to a conversation's files and tools; loaded on first use. */
const ToolRuntimeContext = createContext<(conversationId: string) => Promise<ToolRuntime>>((id) => toolRuntimes.get(id))

export const ToolRuntimeProvider = ToolRuntimeContext
export const useToolRuntime = () => useContext(ToolRuntimeContext)

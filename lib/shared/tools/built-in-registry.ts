import { createToolRegistry } from '@/lib/shared/tools/tool-registry'
import { foundTools } from './found-tools'
import type { ToolDefinition } from './tool'

/**
 * The built-in tools: every folder here with a `words.json`, in the order of `order.json`. `scripts/build-messages.mjs`
 * finds them. Only the wiring imports this list; other code gets a `ToolRegistry`.
 */
export const builtInTools: readonly ToolDefinition[] = foundTools

/** The registry of a server without web access. Pages use `page-tools.browser.ts`, servers create their own. */
export const toolRegistry = createToolRegistry(builtInTools)

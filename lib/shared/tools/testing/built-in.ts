import { builtInTools } from '../built-in-registry'
import { createToolRegistry } from '../tool-registry'

/** The registry as the wiring creates it, and the tools of a conversation without its own. */
export const toolRegistry = createToolRegistry(builtInTools)
export const builtIn = toolRegistry.of([])

import { builtInTools } from '../built-in-registry'
import { createToolRegistry } from '../tool-registry'

/** The registry as the wiring makes it, and the tools of a conversation that has none of its own. */
export const toolRegistry = createToolRegistry(builtInTools)
export const builtIn = toolRegistry.of([])

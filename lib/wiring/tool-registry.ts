import { builtInTools } from '@/lib/tools/registry'
import { createToolRegistry } from '@/lib/tools/tool-registry'

/** The registry of this process or page. In the browser it loads with the first part that needs it. */
export const toolRegistry = createToolRegistry(builtInTools)

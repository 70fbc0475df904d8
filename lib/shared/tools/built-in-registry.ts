import { builtInTools } from '@/lib/shared/tools/registry'
import { createToolRegistry } from '@/lib/shared/tools/tool-registry'

/** The registry of this process or page. In the browser it loads with the first part that needs it. */
export const toolRegistry = createToolRegistry(builtInTools)

import { createConnectedTools } from '@/lib/tools/connected-tools'

/** What carries out registered tools in this page. Loads with the first runtime, or the first tool that is registered. */
export const connectedTools = createConnectedTools()

import { modelWorkerPolicy } from '@/lib/server/http/static-headers'
import { mcpWorkerPolicy } from '@/lib/server/http/mcp-worker-policy'
import type { Settings } from '@/lib/server/settings/settings-table'

/** What those workers may reach whose hosts the operator chooses, by path. */
export const workerPolicies = (settings: Settings, basePath: string): Readonly<Record<string, string>> => ({
  [`${basePath}/workers/models.js`]: modelWorkerPolicy({
    hosts: settings.NOD_BROWSER_MODELS,
    wasm: false,
    own: false,
  }),
  [`${basePath}/workers/wllama.js`]: modelWorkerPolicy({ hosts: settings.NOD_MODEL_HOSTS, wasm: true }),
})

/** The worker that talks to a tool server may reach the origin that it is asked with. */
export const policiesByQuery = (
  settings: Settings,
  basePath: string,
): Readonly<Record<string, (query: URLSearchParams) => string>> => ({
  [`${basePath}/workers/mcp.js`]: (query) => mcpWorkerPolicy(settings.NOD_MCP_HOSTS, query.getAll('to')),
})

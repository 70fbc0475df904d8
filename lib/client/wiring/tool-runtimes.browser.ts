import { loadPart } from '@/lib/i18n/load-part'
import { createRuntimePool } from '@/lib/client/calls/runtime-pool'

/** The runtimes of this page. The tools' code, files and sandbox load with the first one that is requested. */
export const toolRuntimes = createRuntimePool(async (conversationId) => {
  const { createToolRuntime } = await loadPart(() => import('./tool-runtime.browser'))
  return createToolRuntime(conversationId)
})

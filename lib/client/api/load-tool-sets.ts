import { ok } from '@/lib/base/result'
import type { ApiAnswer } from '@/lib/client/api/api-failure'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { McpTool, ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import { toolsOfSet, withSetTools } from '@/lib/shared/mcp/tools-of-set'

interface WithSets {
  readonly tools?: readonly RegisteredTool[]
  readonly toolSets?: readonly ToolSetRef[]
}

// Tool sets by their hash; their content never changes.
const sets = new Map<string, readonly McpTool[]>()

/** Stores a set that is already known. */
export const cacheToolSet = (hash: string, tools: readonly McpTool[]): void => void sets.set(hash, tools)

/** Adds the tools of the sets that the value names. Each set is loaded once per page. */
export async function withToolSets<T extends WithSets>(
  view: T,
  load: (hash: string) => Promise<ApiAnswer<readonly McpTool[]>>,
): Promise<ApiAnswer<T>> {
  const missing = new Set(view.toolSets?.map(({ hash }) => hash).filter((hash) => !sets.has(hash)))
  const answers = await Promise.all([...missing].map(async (hash) => [hash, await load(hash)] as const))
  for (const [hash, answer] of answers) {
    if (!answer.ok) return answer
    sets.set(hash, answer.value)
  }
  const ofSets = (view.toolSets ?? []).flatMap((ref) => toolsOfSet(ref, sets.get(ref.hash) ?? []))
  return ok({
    ...view,
    tools: withSetTools(
      (view.tools ?? []).filter(({ remote }) => remote === undefined),
      ofSets,
    ),
  })
}

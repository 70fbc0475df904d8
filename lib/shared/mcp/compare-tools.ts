import { toolHash } from '@/lib/shared/mcp/tool-hash'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'

/** A tool of the list of now that may not be used. */
export interface PendingTool {
  readonly tool: McpTool
  readonly hash: string
  /** As it was approved; null: its name is new. */
  readonly before: McpTool | null
}

export interface Comparison {
  /** Exactly as approved. Only these may be told to a model, and run. */
  readonly usable: readonly McpTool[]
  /** New or changed, and not read yet. */
  readonly pending: readonly PendingTool[]
  /** Read, and not approved. */
  readonly declined: readonly PendingTool[]
  /** Approved and not there any more. */
  readonly gone: readonly McpTool[]
}

/** The list that a server gives now against what its owner approved. A rename is a tool that is gone and a new one. */
export async function compareTools(
  now: readonly McpTool[],
  approved: readonly McpTool[],
  declinedHashes: readonly string[],
): Promise<Comparison> {
  const before = new Map(approved.map((tool) => [tool.name, tool]))
  const usable: McpTool[] = []
  const pending: PendingTool[] = []
  const declined: PendingTool[] = []
  for (const tool of now) {
    const known = before.get(tool.name) ?? null
    const hash = await toolHash(tool)
    if (known && (await toolHash(known)) === hash) usable.push(tool)
    else if (declinedHashes.includes(hash)) declined.push({ tool, hash, before: known })
    else pending.push({ tool, hash, before: known })
  }
  const names = new Set(now.map(({ name }) => name))
  return { usable, pending, declined, gone: approved.filter(({ name }) => !names.has(name)) }
}

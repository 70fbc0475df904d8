import type { JsonValue } from '@/lib/base/json'
import { sha256Hex } from '@/lib/base/sha256-hex'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'

/** A set of tools as it is stored: canonical JSON, so that equal sets are equal texts. */
export const setText = (tools: readonly McpTool[]): string =>
  canonicalJson(tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)) as unknown as JsonValue)

/** The name of a set. */
export const setHash = (tools: readonly McpTool[]): Promise<string> => sha256Hex(setText(tools))

/** The hash of everything that a server says about one tool. */
export const toolHash = (tool: McpTool): Promise<string> => sha256Hex(canonicalJson(tool as unknown as JsonValue))

/** A tool of the current list that may not be used. */
export interface PendingTool {
  readonly tool: McpTool
  readonly hash: string
  /** As it was approved; null: its name is new. */
  readonly before: McpTool | null
}

export interface Comparison {
  /** Exactly as approved. Only these may be offered to a model, and run. */
  readonly usable: readonly McpTool[]
  /** New or changed, and not read yet. */
  readonly pending: readonly PendingTool[]
  /** Read, and not approved. */
  readonly declined: readonly PendingTool[]
  /** Approved and no longer listed. */
  readonly gone: readonly McpTool[]
}

/** Compares a server's current list with the tools that its owner approved. A renamed tool counts as gone and new. */
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

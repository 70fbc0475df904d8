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

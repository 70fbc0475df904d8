import { sha256Hex } from '@/lib/base/sha256-hex'
import type { JsonValue } from '@/lib/base/json'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { ModelInput } from '@/lib/shared/prompt/model-messages'
import { definitionOf, jcs, recordable } from './record-json'

/**
 * Hashes of what a model got, as SHA-256 in 64 hex digits over canonical JSON: its instructions and messages, with
 * images as they were sent, and the definitions of the offered tools. The text itself is built again for each reply and
 * not stored.
 */
export async function sentHashes(
  { instructions, messages }: Pick<ModelInput, 'instructions' | 'messages'>,
  offered: readonly ToolSpec[],
): Promise<NonNullable<AssistantMessage['sent']>> {
  const tools = offered.filter(({ disabled }) => disabled !== true)
  return {
    prompt: await hexOf({ instructions, messages: messages as unknown as JsonValue }),
    tools: await hexOf(sortedDefinitions(tools)),
  }
}

/** Sorted by name, so that one set of tools has one hash. */
export const sortedDefinitions = (tools: readonly Pick<ToolSpec, 'name' | 'description' | 'parameters'>[]) =>
  tools.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(definitionOf)

const hexOf = (value: JsonValue): Promise<string> => sha256Hex(jcs(recordable(value)))

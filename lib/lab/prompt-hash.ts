import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'

/** One tool that stands for all: of prompts only their own words matter here. */
const anyTool: ToolSpec = {
  name: 'example_tool',
  description: '',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

/** Of all that models are told under these strategies: results of other prompts are of something else. Sixteen letters of hex. */
export function promptHash(strategies: readonly StrategyId[]): string {
  const prompts = strategies
    .toSorted()
    .map((id) => toolContextBuilder.promptParts(id, [anyTool]).map(({ text }) => text))
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(prompts)))).slice(0, 16)
}

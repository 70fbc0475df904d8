import type { GrammarOfTools, ReplyGrammar } from './grammar/reply-grammar'
import { grammarOfTools as jsonAction } from './json-action/grammar'
import { grammarOfTools as jsonStrict } from './json-strict/grammar'
import type { StrategyId, ToolSpec } from './types/tool-context-def'
import { grammarOfTools as toolAction } from './tool-action/grammar'
import { grammarOfTools as vcp } from './vcp/grammar'
import { grammarOfTools as xmlTag } from './xml-tag/grammar'

/**
 * The grammar of each strategy; a strategy without one is not constrained. Native is the provider's own form, with
 * nothing in the text. Kept out of the registry so that only code that constrains a model loads it.
 */
const grammars: Readonly<Partial<Record<StrategyId, GrammarOfTools>>> = {
  JSON_Strict: jsonStrict,
  XML_Tag: xmlTag,
  VCP: vcp,
  Tool_Action: toolAction,
  JSON_Action: jsonAction,
}

/** Any tool: the parts that are built once for all tools do not depend on it. */
const anyTool: ToolSpec = { name: 'any', description: '', parameters: { type: 'object', properties: {} } }

/**
 * Builds what each grammar needs once per process, which takes much longer than adding a set of tools. `breathe` yields
 * to other work between one strategy and the next.
 */
export async function prepareGrammars(breathe: () => Promise<void>): Promise<void> {
  for (const grammarOfTools of Object.values(grammars)) {
    await breathe()
    grammarOfTools([anyTool])
  }
}

/**
 * What a reply may be under the strategy with these tools; null if nothing is constrained: Native, or no callable tool.
 */
export const grammarOf = (strategy: StrategyId, tools: readonly ToolSpec[]): ReplyGrammar | null =>
  grammars[strategy]?.(tools) ?? null

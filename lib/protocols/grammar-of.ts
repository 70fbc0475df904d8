import type { GrammarOfTools, ReplyGrammar } from './grammar/reply-grammar'
import { grammarOfTools as jsonAction } from './json-action/grammar'
import { grammarOfTools as jsonStrict } from './json-strict/grammar'
import type { StrategyId, ToolSpec } from './types/tool-context-def'
import { grammarOfTools as toolAction } from './tool-action/grammar'
import { grammarOfTools as vcp } from './vcp/grammar'
import { grammarOfTools as xmlTag } from './xml-tag/grammar'

/**
 * How each strategy is said as a grammar; one without is not bound. Native is the provider's own form, and nothing of it stands in
 * the text. Not in the registry: only those who hold a model to one load it.
 */
const grammars: Readonly<Partial<Record<StrategyId, GrammarOfTools>>> = {
  JSON_Strict: jsonStrict,
  XML_Tag: xmlTag,
  VCP: vcp,
  Tool_Action: toolAction,
  JSON_Action: jsonAction,
}

/** Any tool: what is made once for all tools does not depend on it. */
const anyTool: ToolSpec = { name: 'any', description: '', parameters: { type: 'object', properties: {} } }

/**
 * Makes what each grammar needs once in a process, which takes many times as long as what a set of tools then adds. `breathe`
 * lets others have their turn, between one strategy and the next.
 */
export async function prepareGrammars(breathe: () => Promise<void>): Promise<void> {
  for (const grammarOfTools of Object.values(grammars)) {
    await breathe()
    grammarOfTools([anyTool])
  }
}

/** What a reply may be under the strategy with these tools; null where nothing is bound: Native, or no tool that can be called. */
export const grammarOf = (strategy: StrategyId, tools: readonly ToolSpec[]): ReplyGrammar | null =>
  grammars[strategy]?.(tools) ?? null

import { behaviourPart, escapeExampleCall, exampleCall, toolsPart } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls } from './format'

export function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  if (tools.length === 0) return []
  const protocol = `# Calling tools
To call a tool, write a block of fields, outside of any code block:
${formatCalls([exampleCall(tools)])}
A text that holds the field marks themselves goes between the ESCAPE marks; nothing else needs escaping:
${formatCalls([escapeExampleCall(tools, 'A value ends with 「末」.')])}
Rules:
- \`tool_name\` is required; the other fields are the parameters below, one line each: key:「始」value「末」
- Values are written as they are, with quotes and line breaks; numbers as digits, lists and objects as JSON.
- One block a call; several blocks run in order.
- Close every value with 「末」 and every block with its END line. If a text is very long, send it in several smaller calls.
- To show a call as an example without calling, put it in a code block.`
  return [{ kind: 'protocol', title: 'Protocol', text: protocol }, toolsPart(tools), behaviourPart()]
}

import { behaviourPart, escapeExampleCall, exampleCall, toolsPart } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls } from './format'

export function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  if (tools.length === 0) return []
  const protocol = `# Calling tools
To call a tool, write a JSON object between <tool_code> tags, outside of any code block:
${formatCalls([exampleCall(tools)])}
Quotation marks and line breaks inside texts are escaped:
${formatCalls([escapeExampleCall(tools, 'She said "hi".\nBye.')])}
Rules:
- One call a tag; write several tags for several calls, they run in order.
- Each call has \`name\` and \`arguments\`, an object with exactly the parameters below.
- Strict JSON: double quotes, no comments, no trailing commas, \\" and \\n inside texts. Do not escape < or & in it.
- Write every value in full and close the tag. If a text is very long, send it in several smaller calls.
- To show a call as an example without calling, put it in a code block.`
  return [{ kind: 'protocol', title: 'Protocol', text: protocol }, toolsPart(tools), behaviourPart()]
}

import { behaviourPart, escapeExampleCall, exampleCall, toolsPart } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls } from './format'

export function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  if (tools.length === 0) return []
  const protocol = `# Calling tools
To call a tool, write one JSON object with the action \`tool_call\` in a json code block:
${formatCalls([exampleCall(tools)])}
Quotation marks and line breaks inside texts are escaped:
${formatCalls([escapeExampleCall(tools, 'She said "hi".\nBye.')])}
Rules:
- \`action\` is always \`tool_call\`; the tool goes into \`name\`, and \`arguments\` is an object with exactly the parameters below.
- Several calls go into one code block as a list of such objects; they run in order.
- Strict JSON: double quotes, no comments, no trailing commas, \\" and \\n inside texts.
- Write every value in full. If a text is very long, send it in several smaller calls.
- To answer without a tool, just write; there is no action for that.
- To show a call as an example without calling, use a code block of another language.`
  return [{ kind: 'protocol', title: 'Protocol', text: protocol }, toolsPart(tools), behaviourPart()]
}

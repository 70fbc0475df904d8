import { behaviourPart, escapeExampleCall, exampleCall, toolsPart } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls } from './format'

export function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  if (tools.length === 0) return []
  const protocol = `# Calling tools
To call tools, write one JSON object with the key \`tool_calls\` in a json code block:
${formatCalls([exampleCall(tools)])}
Quotation marks and line breaks inside texts are escaped:
${formatCalls([escapeExampleCall(tools, 'She said "hi".\nBye.')])}
Rules:
- \`tool_calls\` is a list; several calls go into one list and run in order.
- Each call has \`name\` and \`arguments\`, an object with exactly the parameters below.
- Strict JSON: double quotes, no comments, no trailing commas, \\" and \\n inside texts.
- Write every value in full. If a text is very long, send it in several smaller calls.
- To show a call as an example without calling, use a code block of another language.`
  return [{ kind: 'protocol', title: 'Protocol', text: protocol }, toolsPart(tools), behaviourPart()]
}

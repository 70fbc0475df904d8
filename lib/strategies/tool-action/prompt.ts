import { behaviourPart, escapeExampleCall, exampleCall, toolsPart } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls } from './format'

export function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  if (tools.length === 0) return []
  const protocol = `# Calling tools
To call a tool, write a tool_action element, outside of any code block:
${formatCalls([exampleCall(tools)])}
A text with line breaks goes between the tags of its parameter; with < or & in it, into a CDATA section:
${formatCalls([escapeExampleCall(tools, 'She said "a < b & c".\nBye.')])}
Rules:
- \`name\` is the tool; each parameter below is an element of its own name, its value in \`value\` or between its tags.
- In \`value\`, write &quot; &lt; &gt; &amp; for those characters. Numbers as digits, lists and objects as JSON.
- One element a call; several elements run in order. They are never nested.
- Write every value in full and close every element. If a text is very long, send it in several smaller calls.
- To show a call as an example without calling, put it in a code block.`
  return [{ kind: 'protocol', title: 'Protocol', text: protocol }, toolsPart(tools), behaviourPart()]
}

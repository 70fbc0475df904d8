import { behaviourPart, escapeExampleCall, exampleCall, protocolPart, toolsPart } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls } from './format'

export function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  if (tools.length === 0) return []
  const careful = escapeExampleCall(tools, {
    text: 'She said "a < b & c".\nBye.',
    code: 'console.log("a < b")\n6 * 7',
    path: '/example/R&D "old".md',
  })
  const protocol = protocolPart({
    form: 'To call a tool, write a tool_action element, not in a code block:',
    example: formatCalls([exampleCall(tools)]),
    care: 'A text with line breaks or any of " < > & goes between the tags of its parameter, in a CDATA section, as it is:',
    careExample: careful && formatCalls([careful]),
    rules: [
      '`name` is the tool. Each parameter below is an element of its own name, with its value in `value` or between its tags.',
      'Inside `value`, those characters are written as &quot; &lt; &gt; &amp;.',
      'Numbers as digits; lists and objects as JSON between the tags.',
      'One call an element. Several elements run in order; they are never nested.',
      'Write every value in full and close every element.',
      'To show a call without making it, put it in a code block.',
    ],
  })
  return [protocol, toolsPart(tools), behaviourPart()]
}

import { promptOf } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls, formatResults } from './format'

export const promptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
  promptOf(tools, formatCalls, {
    formatResults,
    form: 'To call a tool, write a tool_action element, not in a code block:',
    care: 'A text with line breaks or any of " < > & goes between the tags of its parameter, in a CDATA section, as it is:',
    careful: {
      text: 'She said "a < b & c".\nBye.',
      code: 'console.log("a < b")\n6 * 7',
      path: '/example/R&D "old".md',
    },
    rules: [
      '`name` is the tool. Each parameter below is an element of its own name, with its value in `value` or between its tags.',
      'Inside `value`, those characters are written as &quot; &lt; &gt; &amp;.',
      'Numbers as digits; lists and objects as JSON between the tags.',
      'One call an element. Several elements run in order; they are never nested.',
      'Write every value in full and close every element.',
      'To show a call without making it, put it in a code block.',
    ],
  })

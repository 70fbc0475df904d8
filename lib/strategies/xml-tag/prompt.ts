import { jsonCare, jsonCarefulTexts, promptOf } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls, formatResults } from './format'

export const promptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
  promptOf(tools, formatCalls, {
    formatResults,
    form: 'To call a tool, write a JSON object between <tool_code> tags, not in a code block:',
    care: `${jsonCare}; < > & stay as they are:`,
    careful: jsonCarefulTexts,
    rules: [
      'One call between the tags. For several calls write several pairs of tags; they run in order.',
      'Each call has `name` and `arguments`, an object with only the parameters listed below.',
      'Strict JSON: double quotes, no comments, no trailing commas. Write every value in full and close the tag.',
      'To show a call without making it, put it in a code block.',
    ],
  })

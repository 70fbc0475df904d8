import { jsonCare, jsonCarefulTexts, promptOf } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls, formatResults } from './format'

export const promptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
  promptOf(tools, formatCalls, {
    formatResults,
    form: 'To call a tool, write a JSON object with the action `tool_call` in a json code block:',
    care: `${jsonCare}:`,
    careful: jsonCarefulTexts,
    rules: [
      '`action` is always `tool_call`. The tool goes into `name`, and `arguments` is an object with only the parameters listed below.',
      'Several calls go into one code block, as a list of such objects, and run in order.',
      'Strict JSON: double quotes, no comments, no trailing commas. Write every value in full.',
      'To answer without a tool, just write; there is no action for that.',
      'To show a call without making it, use a code block of the language `text`.',
    ],
  })

import { jsonCare, jsonCarefulTexts, promptOf } from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls, formatResults } from './format'

export const promptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
  promptOf(tools, formatCalls, {
    formatResults,
    form: 'To call tools, write one JSON object with the key `tool_calls` in a json code block:',
    care: `${jsonCare}:`,
    careful: jsonCarefulTexts,
    rules: [
      '`tool_calls` is a list of calls. Several calls go into the same list and run in order.',
      'Each call has `name` and `arguments`, an object with only the parameters listed below.',
      'Strict JSON: double quotes, no comments, no trailing commas. Write every value in full.',
      'To show a call without making it, use a code block of the language `text`.',
    ],
  })

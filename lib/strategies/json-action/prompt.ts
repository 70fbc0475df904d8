import {
  behaviourPart,
  escapeExampleCall,
  exampleCall,
  jsonCarefulTexts,
  protocolPart,
  toolsPart,
} from '../prompt-parts'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls } from './format'

export function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  if (tools.length === 0) return []
  const careful = escapeExampleCall(tools, jsonCarefulTexts)
  const protocol = protocolPart({
    form: 'To call a tool, write a JSON object with the action `tool_call` in a json code block:',
    example: formatCalls([exampleCall(tools)]),
    care: 'Inside texts, write \\" \\n \\\\ for quotation marks, line breaks and backslashes:',
    careExample: careful && formatCalls([careful]),
    rules: [
      '`action` is always `tool_call`. The tool goes into `name`, and `arguments` is an object with only the parameters listed below.',
      'Several calls go into one code block, as a list of such objects, and run in order.',
      'Strict JSON: double quotes, no comments, no trailing commas. Write every value in full.',
      'To answer without a tool, just write; there is no action for that.',
      'To show a call without making it, use a code block of the language `text`.',
    ],
  })
  return [protocol, toolsPart(tools), behaviourPart()]
}

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
    form: 'To call tools, write one JSON object with the key `tool_calls` in a json code block:',
    example: formatCalls([exampleCall(tools)]),
    care: 'Inside texts, write \\" \\n \\\\ for quotation marks, line breaks and backslashes:',
    careExample: careful && formatCalls([careful]),
    rules: [
      '`tool_calls` is a list of calls. Several calls go into the same list and run in order.',
      'Each call has `name` and `arguments`, an object with only the parameters listed below.',
      'Strict JSON: double quotes, no comments, no trailing commas. Write every value in full.',
      'To show a call without making it, use a code block of the language `text`.',
    ],
  })
  return [protocol, toolsPart(tools), behaviourPart()]
}

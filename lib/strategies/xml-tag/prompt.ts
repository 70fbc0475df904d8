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
    form: 'To call a tool, write a JSON object between <tool_code> tags, not in a code block:',
    example: formatCalls([exampleCall(tools)]),
    care: 'Inside texts, write \\" \\n \\\\ for quotation marks, line breaks and backslashes; < > & stay as they are:',
    careExample: careful && formatCalls([careful]),
    rules: [
      'One call between the tags. For several calls write several pairs of tags; they run in order.',
      'Each call has `name` and `arguments`, an object with only the parameters listed below.',
      'Strict JSON: double quotes, no comments, no trailing commas. Write every value in full and close the tag.',
      'To show a call without making it, put it in a code block.',
    ],
  })
  return [protocol, toolsPart(tools), behaviourPart()]
}

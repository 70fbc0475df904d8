import { byName } from '../prompt-parts'
import { exampleArguments, parametersOf, shortDescription } from '../signature'
import type { PromptPart, ToolSpec } from '../tool-context-def'
import { formatCalls } from './format'
import { DEFINITION_END, DEFINITION_START } from './markers'

/*
 * <<<[TOOL_DEFINITION]>>>
 * tool_name:「始」read_file「末」,
 * command:「始」ReadFile「末」,
 * description:「始」Reads a text file, whole or a page of lines.「末」,
 * parameters:「始」path: string, offset?: integer「末」
 * example:
 * <<<[TOOL_REQUEST]>>>
 * …
 *
 * The form of VCP hosts, which tell each tool in a block of its own. The example stands bare: small models copy the marks around it.
 */
export function definitionsPart(tools: readonly ToolSpec[]): PromptPart {
  const blocks = byName(tools).map(definitionOf)
  return { kind: 'tools', title: 'Tools', text: ['## Tools (`?`: may be left out)', ...blocks].join('\n\n') }
}

function definitionOf(tool: ToolSpec): string {
  const fields = {
    tool_name: tool.name,
    command: tool.vcpCommand ?? '',
    description: shortDescription(tool),
    parameters: parametersOf(tool) || 'none',
  }
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === '' ? [] : [`${key}:「始」${unmarked(value)}「末」`],
  )
  const example = formatCalls([{ name: tool.name, arguments: exampleArguments(tool) }])
  return [DEFINITION_START, lines.join(',\n'), 'example:', example, DEFINITION_END].join('\n')
}

/** A description of others can end neither its field nor the block. */
const unmarked = (text: string): string => text.replaceAll('「', '[').replaceAll('」', ']').replaceAll('<<', '<')

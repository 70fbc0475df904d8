import { isJsonObject } from '@/lib/base/json'
import { alternativesOf, normaliseKey, propertiesOf, resolveSchema } from '../arguments/schema'
import { exampleArguments } from '../prompt/example-arguments'
import { byName, toolsHead } from '../prompt/prompt-parts'
import { parametersOf } from '../prompt/signature'
import type { PromptPart, ToolSpec } from '../types/tool-context-def'
import { describeTools, type ToolText } from '../prompt/tool-texts'
import { formatCalls } from './format'
import { DEFINITION_END, DEFINITION_START } from './markers'

/*
 * <<<[TOOL_DEFINITION]>>>
 * tool_name:「始」edit_file「末」,
 * description:「始」Changes passages of a text file.「末」,
 * parameters:「始」path: string, edits: { search: string, replace: string }[]
 * path: absolute path of the file「末」
 * example:
 * <<<[TOOL_REQUEST]>>>
 * …
 *
 * The form of VCP hosts, which tell each tool in a block of its own. The example stands bare: small models copy the marks
 * around it. It is left out where the two examples of the protocol show all that the call needs.
 */
export function definitionsPart(tools: readonly ToolSpec[]): PromptPart {
  const { text, shortened } = describeTools(byName(tools), (texts) =>
    [toolsHead(tools), ...texts.map(definitionOf)].join('\n\n'),
  )
  return { kind: 'tools', title: 'Tools', text, shortened }
}

function definitionOf({ tool, description, parameters }: ToolText): string {
  const meanings = parameters.map(({ path, text }) => `\n${path}: ${text}`).join('')
  const fields = {
    tool_name: tool.name,
    command: commandOf(tool),
    description,
    parameters: `${parametersOf(tool) || 'none'}${meanings}`,
  }
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === '' ? [] : [`${key}:「始」${unmarked(value)}「末」`],
  )
  const example = takesTextsOnly(tool)
    ? []
    : ['example:', formatCalls([{ name: tool.name, arguments: exampleArguments(tool) }])]
  return [DEFINITION_START, lines.join(',\n'), ...example, DEFINITION_END].join('\n')
}

/** Only where it is not the tool's own name in another spelling, which every reply may use anyway. */
const commandOf = ({ name, vcpCommand = '' }: ToolSpec): string =>
  normaliseKey(vcpCommand) === normaliseKey(name) ? '' : vcpCommand

/** Each required parameter is a free text: a request for it looks like those of the protocol. */
function takesTextsOnly({ parameters }: ToolSpec): boolean {
  const required = parameters['required']
  const properties = propertiesOf(parameters) ?? {}
  return (Array.isArray(required) ? required : []).every((key) => {
    const schema = typeof key === 'string' ? resolveSchema(properties[key], parameters) : null
    if (!isJsonObject(schema) || alternativesOf(schema).length > 1) return false
    return schema['type'] === 'string' && schema['enum'] === undefined && schema['const'] === undefined
  })
}

/** A description of others can end neither its field nor the block. */
const unmarked = (text: string): string => text.replaceAll('「', '[').replaceAll('」', ']').replaceAll('<<', '<')

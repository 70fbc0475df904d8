import type { StrategyModule } from '../strategy-module'
import { facts, END, LABELS, RESULTS_END, RESULTS_START, START, DEFINITION_END, DEFINITION_START } from './markers'
import { vcpDialect } from './read'
import { byName, exampleCall, promptOf, toolsHead } from '../prompt/prompt-parts'
import type { PromptPart, ToolSpec, CallToWrite, FramedResults, ResultToWrite } from '../types/tool-context-def'
import { propertiesOf, alternativesOf, normaliseKey, resolveSchema } from '../arguments/schema'
import { createNeutraliser, type Neutraliser } from '../neutralise/neutralise'
import { writeJson, isPlaceholder } from '../arguments/write-json'
import { holdsMark } from './fields'
import { isJsonObject } from '@/lib/base/json'
import { exampleArguments } from '../prompt/example-arguments'
import { parametersOf } from '../prompt/signature'
import { describeTools, type ToolText } from '../prompt/tool-texts'

const PLAIN_KEY = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u
/** Keys that are reserved by the block itself. */
const RESERVED = /^(tool_?-?name|tool_?-?id|command|maid|valet|archery|ink|river|vref)$|\d$/i

/** Neutralises only VCP's own marks: its examples contain no others. */
const ownMarks = createNeutraliser(facts.marks.inResults)

/** One block per call, its fields in order. */
export function formatCalls(calls: readonly CallToWrite[], neutralise: Neutraliser = ownMarks): string {
  return calls.map((call) => `${START}\n${fieldsOf(call) ?? jsonOf(call, neutralise)}\n${END}`).join('\n')
}

/**
 * Whether every parameter with these names can be a field of a block; otherwise the block contains the call as one JSON
 * object.
 */
export const canBeFields = (keys: readonly string[]): boolean =>
  keys.every((key) => PLAIN_KEY.test(key) && !RESERVED.test(key))

/** Null if fields can't express it: an odd key, or a value that contains every kind of closer. */
function fieldsOf(call: CallToWrite): string | null {
  const fields: string[] = [`tool_name:「始」${call.name}「末」`]
  if (!/^[\w.\-:/]+$/.test(call.name) || isPlaceholder(call.name)) return null
  for (const [key, value] of Object.entries(call.arguments)) {
    if (!canBeFields([key])) return null
    const field = fieldOf(key, typeof value === 'string' ? value : writeJson(value), typeof value === 'string')
    if (field === null) return null
    fields.push(field)
  }
  return fields.join(',\n')
}

function fieldOf(key: string, value: string, isText: boolean): string | null {
  // These represent the literal markers, also inside ESCAPE fields.
  if (/TOOL_REQUEST_(ESCAPE|EXP)\]/.test(value)) return null
  const plain = !/[「」]|TOOL_REQUEST/i.test(value) && !(isText && isPlaceholder(value))
  if (plain) return `${key}:「始」${padded(value)}「末」`
  for (const mark of ['ESCAPE', 'exp'])
    if (!holdsMark(value, mark)) return `${key}:「始${mark}」${padded(value)}「末${mark}」`
  return null
}

/** One newline at each end is not part of a value: one is added if the value has its own, or several lines. */
function padded(value: string): string {
  // Half a mark at the edge would look like one that was written twice.
  const lines = value.includes('\n') || value.startsWith('」') || value.endsWith('「')
  return `${lines ? '\n' : ''}${value}${lines && !value.endsWith('\r') ? '\n' : ''}`
}

/** The block as JSON, every mark escaped. */
const jsonOf = (call: CallToWrite, neutralise: Neutraliser): string =>
  neutralise.json(`{"tool_name":${writeJson(call.name)},"arguments":${writeJson(call.arguments)}}`)

/**
 * One frame for all results, contents as JSON. The boundary is random, so that a file can't contain a frame that looks
 * like ours.
 */
export function formatResults(
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults {
  const blocks = results.map(
    ({ id, name, status, result }) =>
      `- ${LABELS.name}: ${neutralise.json(JSON.stringify(name))}\n- id: ${neutralise.json(JSON.stringify(id))}\n- ${LABELS.status}: ${status}\n- ${LABELS.result}: ${neutralise.json(JSON.stringify(result))}`,
  )
  return { text: `${RESULTS_START}信息汇总: #${boundary}\n${blocks.join('\n')}\n#${boundary} ${RESULTS_END}` }
}

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
 * The form of VCP hosts, which define each tool in its own block. The example has no marks around it, because small
 * models copy them. It is omitted if the two examples of the protocol show everything that the call needs.
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

/** Only if it is not just another spelling of the tool's own name, which every reply may use anyway. */
const commandOf = ({ name, vcpCommand = '' }: ToolSpec): string =>
  normaliseKey(vcpCommand) === normaliseKey(name) ? '' : vcpCommand

/** Whether each required parameter is a free text: a request for it looks like those of the protocol. */
function takesTextsOnly({ parameters }: ToolSpec): boolean {
  const required = parameters['required']
  const properties = propertiesOf(parameters) ?? {}
  return (Array.isArray(required) ? required : []).every((key) => {
    const schema = typeof key === 'string' ? resolveSchema(properties[key], parameters) : null
    if (!isJsonObject(schema) || alternativesOf(schema).length > 1) return false
    return schema['type'] === 'string' && schema['enum'] === undefined && schema['const'] === undefined
  })
}

/** An untrusted description can end neither its field nor the block. */
const unmarked = (text: string): string => text.replaceAll('「', '[').replaceAll('」', ']').replaceAll('<<', '<')

function promptParts(tools: readonly ToolSpec[]): readonly PromptPart[] {
  const commands = byName(tools).filter(({ vcpCommand }) => vcpCommand !== undefined)
  const plain = tools.filter((tool) => canBeFields(keysOf(tool)))
  const odd = byName(tools).find((tool) => !plain.includes(tool))
  const command = (commands.find(({ name }) => name === exampleCall(tools).name) ?? commands[0])?.vcpCommand
  return promptOf(tools, formatCalls, {
    formatResults,
    form: 'To call a tool, write a block of fields, not in a code block:',
    care: 'Nothing inside a value is escaped. Only a text that holds such marks itself takes the ESCAPE marks:',
    careful: {
      text: 'A value ends with 「末」.',
      code: 'console.log("「末」")',
      path: '/example/「末」.md',
    },
    rules: [
      '`tool_name` comes first; the other fields are the parameters below, a comma between fields: key:「始」value「末」',
      'Values are written as they are, with quotes and line breaks; numbers as digits, lists and objects as JSON.',
      'One call a block. Several blocks run in order.',
      'Write every value in full, close it with 「末」, and end the block with its END line.',
      ...(command === undefined
        ? []
        : [
            `A plugin and its \`command\` name a tool, too: tool_name:「始」FileOperator「末」, command:「始」${command}「末」`,
          ]),
      ...(odd === undefined
        ? []
        : [
            `Where a parameter's name means something else here, as in ${odd.name}, the block holds one JSON object: {"tool_name": …, "arguments": {…}}`,
          ]),
      'To show a call without making it, put it in a code block.',
    ],
    ...(plain.length > 0 && { shown: plain }),
    tools: definitionsPart(tools),
  })
}

const keysOf = ({ parameters }: ToolSpec): readonly string[] => Object.keys(propertiesOf(parameters) ?? {})

export const vcp: StrategyModule = {
  id: 'VCP',
  summary: {
    en: 'Blocks of plain-text fields, as in VCPToolBox. Long texts need no escaping.',
    'zh-CN': '纯文本字段组成的块，与 VCPToolBox 相同；长文本无需转义。',
  },
  callsBy: 'model',
  dialect: vcpDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

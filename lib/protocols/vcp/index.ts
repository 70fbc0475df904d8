import type { StrategyModule } from '../strategy-module'
import { facts } from './markers'
import { formatCalls, formatResults, canBeFields, definitionsPart } from './format'
import { vcpDialect } from './read'
import { byName, exampleCall, promptOf } from '../prompt/prompt-parts'
import type { PromptPart, ToolSpec } from '../types/tool-context-def'
import { propertiesOf } from '../arguments/schema'

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

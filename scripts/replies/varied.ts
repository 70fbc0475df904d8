import type { JsonObject } from '@/lib/base/json'
import { testTools } from '@/lib/protocols/testing/tools'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

/** One line of a file for `npm run replies`, and whether a card is correct for it. */
export interface VariedReply {
  readonly text: string
  readonly tools: readonly JsonObject[]
  readonly expected: readonly CallToWrite[]
}

const calls: readonly CallToWrite[] = [
  { name: 'read_file', arguments: { path: '/a.md' } },
  { name: 'read_file', arguments: { path: '/b/c.txt', limit: 3 } },
  { name: 'list_directory', arguments: { path: '/' } },
  { name: 'write_file', arguments: { path: '/a', content: 'She said "it\'s hi".\nBye.' } },
  { name: 'draw', arguments: { visible: true, tags: ['x', 'y'] } },
]

const python = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/\btrue\b/g, 'True')
    .replaceAll(/\bfalse\b/g, 'False')
const keywords = (call: CallToWrite): string =>
  `${call.name}(${Object.entries(call.arguments)
    .map(([key, value]) => `${key}=${python(value)}`)
    .join(', ')})`
const asDict = (call: CallToWrite): string => python({ name: call.name, parameters: call.arguments })
/** As Python prints a text that holds both quotes. */
const inSingleQuotes = (value: JsonObject): string =>
  `{${Object.entries(value)
    .map(
      ([key, one]) =>
        `'${key}': ${typeof one === 'string' ? `'${JSON.stringify(one).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : python(one)}`,
    )
    .join(', ')}}`
const json = (call: CallToWrite): string => JSON.stringify(call.arguments)
const blob = (call: CallToWrite): string => JSON.stringify({ action: call.name, action_input: call.arguments }, null, 2)

/** A call in the formats that models fall back to. */
const forms: readonly ((call: CallToWrite) => string)[] = [
  (call) => `Thought: I need a tool.\nAction: ${call.name}\nAction Input: ${json(call)}`,
  (call) => `Action: ${call.name}\nAction Input: ${python(call.arguments)}\nObservation:`,
  (call) => `**Action:** \`${call.name}\`\n**Action Input:**\n\`\`\`json\n${json(call)}\n\`\`\``,
  (call) => `Thought: go.\nAction: [${call.name}]\nAction Input:\n${json(call)}`,
  (call) => `Question: what?\nThought: look.\nAction 1: ${call.name}\nAction Input 1: ${json(call)}\nObservation 1:`,
  (call) => `Action: ${keywords(call)}`,
  (call) => `Thought: go.\n\nAction:\n\`\`\`json\n${blob(call)}\n\`\`\``,
  (call) => `- Action: ${call.name}\n- Action Input: ${json(call)}`,
  (call) => `1. Thought: look.\n2. Action: ${call.name}\n3. Action Input: ${json(call)}`,
  (call) => `### Thought\nlook\n\n### Action\n${call.name}\n\n### Action Input\n${json(call)}`,
  (call) => `思考：我需要工具。\n行动：${call.name}\n行动输入：${json(call)}\n观察：`,
  (call) => `Action: ${call.name}\nArguments: ${json(call)}`,
  (call) => `result = ${keywords(call)}`,
  (call) => `functions.${call.name}:0${json(call)}`,
  (call) => `{'name': '${call.name}', 'arguments': ${inSingleQuotes(call.arguments)}}`,
  keywords,
  (call) => `print(${keywords(call)})`,
  (call) => `\`\`\`python\n${keywords(call)}\n\`\`\``,
  (call) => `[${keywords(call)}]`,
  (call) => `[${asDict(call)}]`,
  (call) => `[${asDict(call)}]<|im_end|>`,
]

/** Prose that intends no call. */
const subjects = ['read_file', 'list_directory', 'the tool', 'Python', 'an agent', 'draw']
const prose: readonly ((subject: string) => string)[] = [
  (one) => `In ReAct, a model writes "Action: ${one}" and then "Action Input:" with its arguments.`,
  (one) => `Action: we should talk about ${one}.\nAction items: none.`,
  (one) => `The format is:\n\nAction: the name of the tool, such as ${one}\nAction Input: the input of the action`,
  (one) => `\`Action: ${one}\` names the tool.`,
  (one) => `1. Thought about ${one}.\n2. Action: call Bob.\n3. Input: his number.`,
  (one) => `You can call ${one}(path=...) in your code.`,
  (one) => `def main():\n    return ${one.replaceAll(' ', '_')}`,
  (one) => `Use ${one} with care (see docs).`,
  (one) => `[${one}](https://example.org) explains it.`,
  (one) => `| Step | Action: |\n|---|---|\n| 1 | ${one} |`,
  (one) => `> Action: plan\n> Action Input: ${one}`,
  (one) => `Call to action: try ${one} today.`,
  (one) => `**Action plan**\n- learn ${one}\n- rest`,
  (one) => `x = [1, 2, 3]  # ${one}`,
  (one) => `{'name': 'Bob', 'likes': '${one}'}`,
  (one) => `Action: None\nAction Input: None\nFinal Answer: ${one} is not needed.`,
  (one) => `行动：先看看 ${one}。\n输入：无`,
  (one) => `Final Answer: ${one}`,
  (one) => `Action: <tool name>\nAction Input: <${one} as JSON>`,
  (one) => `- Action: buy ${one}\n- Input: milk`,
  (one) => `### Action\nUse ${one}.\n\n### Input\nNone`,
  (one) => `操作：打开 ${one}\n参数：{"a": 1}`,
  (one) => `result = ${one.replaceAll(' ', '_')}.length`,
  (one) => `Thought: I know ${one}. No tool is needed.\nFinal Answer: 42`,
]

const tools = testTools.map(({ name, description, parameters }) => ({ name, description, parameters }))

/**
 * Replies in the formats that models fall back to, with and without prose around them, and prose that looks like them.
 */
export function variedReplies(): readonly VariedReply[] {
  const withCalls = forms.flatMap((write) =>
    calls.flatMap((call) => {
      const text = write(call)
      const before = text.startsWith('Thought') || text.startsWith('Action') ? [`I will look.\n\n${text}`] : []
      return [text, ...before].map((one) => ({ text: one, tools, expected: [call] }))
    }),
  )
  const without = prose.flatMap((write) => subjects.map((one) => ({ text: write(one), tools, expected: [] })))
  return [...withCalls, ...without]
}

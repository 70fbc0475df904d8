import type { Neutraliser } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite, PromptPart, ToolSpec } from '../types/tool-context-def'
import { writeJson } from '../arguments/write-json'
import { CALL, TEXT, jsonActionDialect } from './read'
import type { StrategyModule } from '../strategy-module'
import { jsonCare, jsonCarefulTexts, promptOf } from '../prompt/prompt-parts'
import { JSON_TEXT, type StrategyFacts } from '../types/strategy-facts'

const isWords = (part: string | CallToWrite): part is string => typeof part === 'string'

/** Text and calls in order, without a fence, as in a reply that is only JSON. */
export function formatEnvelopeReply(parts: readonly (string | CallToWrite)[]): string {
  const items = parts.map((part) =>
    isWords(part)
      ? writeJson({ action: TEXT, text: part })
      : writeJson({ action: CALL, name: part.name, arguments: part.arguments }),
  )
  return items.length === 1 ? items.join('') : `[${items.join(',\n')}]`
}

/** One fenced object, or a list of them: `{"action":"tool_call","name":…,"arguments":{…}}`. */
export function formatCalls(calls: readonly CallToWrite[]): string {
  if (calls.length === 0) return ''
  const items = calls.map(({ name, arguments: args }) => writeJson({ action: 'tool_call', name, arguments: args }))
  return `\`\`\`json\n${items.length === 1 ? items.join('') : `[${items.join(',\n')}]`}\n\`\`\``
}

/** One fenced object per result. The boundary is random, so that a file can't contain a frame that looks like ours. */
export function formatResults(
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults {
  const blocks = results.map(({ id, name, status, result }) => {
    const body = neutralise.json(JSON.stringify({ toolCallId: id, name, status, result }))
    return `\`\`\`json\n{"action":"tool_result","boundary":${JSON.stringify(boundary)},${body.slice(1)}\n\`\`\``
  })
  return { text: blocks.join('\n') }
}

/** The prompt for a model whose server allows only an action or a list of actions. */
export const envelopePromptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
  promptOf(tools, formatEnvelopeReply, {
    formatResults,
    form: `Your whole reply is one JSON object, and nothing before or behind it. To call a tool, write the action \`${CALL}\`:`,
    care: `${jsonCare}:`,
    careful: jsonCarefulTexts,
    rules: [
      `To answer in words, write the action \`${TEXT}\`: ${writeJson({ action: TEXT, text: 'Your words, as Markdown.' })}`,
      'In a call the tool goes into `name`, and `arguments` is an object with only the parameters listed below.',
      'To do more than one thing, write a list of such objects: they are said and run in order.',
      'No code block around it. Write every value in full.',
    ],
  })

const facts: StrategyFacts = {
  signature: '"action":"tool_call"',
  inShort: { call: 'one object with an action', goodFor: 'models trained as agents' },
  form: {
    reads: {
      en: ['a JSON object with ', { code: '"action": "tool_call"' }],
      'zh-CN': ['带有 ', { code: '"action": "tool_call"' }, ' 的 JSON 对象'],
    },
    begins: '{"action": "tool_call"',
  },
  marks: {
    inResults: [/(?<!\\)\ba(?=ction(?:_input)?\\?["'])/],
    inProse: [[/(\baction\\*["'“”‘’]?\s*[:：]\s*\\*["'“”‘’]?tool)_/gi, '$1-']],
  },
  resultFrame: { kind: 'object', key: 'action', value: 'tool_result' },
  opensText: JSON_TEXT,
  lookalikes: [{ kind: 'object', key: 'action', call: 'tool_call' }],
  missingMarkup: [{ kind: 'json', closer: '', openers: ['```json\n'] }],
  examples: {
    damaged: `{"action": "read_file", "action_input": {"path": "/notes/a.md", "limit": "20",}}`,
    tour: null,
  },
}

const promptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
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

export const jsonAction: StrategyModule = {
  id: 'JSON_Action',
  summary: {
    en: 'A JSON block with an action, as agents of the LangChain kind write it.',
    'zh-CN': '带有 action 的 JSON 块，即 LangChain 一类智能体的写法。',
  },
  callsBy: 'model',
  dialect: jsonActionDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

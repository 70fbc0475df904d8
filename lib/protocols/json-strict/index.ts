import type { StrategyModule } from '../strategy-module'
import { jsonStrictDialect, RESULT_KEY } from './read'
import { jsonCare, jsonCarefulTexts, promptOf } from '../prompt/prompt-parts'
import type { PromptPart, ToolSpec, CallToWrite, FramedResults, ResultToWrite } from '../types/tool-context-def'
import { type Neutraliser, objectFrames } from '../neutralise/neutralise'
import { writeJson } from '../arguments/write-json'
import { JSON_TEXT, type StrategyFacts } from '../types/strategy-facts'

const facts: StrategyFacts = {
  signature: '"tool_calls"',
  inShort: { call: 'one object with a list of calls', goodFor: 'most models' },
  form: {
    reads: {
      en: ['a JSON object with the key ', { code: 'tool_calls' }],
      'zh-CN': ['带有键 ', { code: 'tool_calls' }, ' 的 JSON 对象'],
    },
    begins: '{"tool_calls": …',
  },
  marks: {
    // The key inside a text: JSON's own structure may have it too, and stays as it is.
    inResults: [/(?<![\\</])\bt(?=ool_calls?\b|ool_call_result)/, /(?<!\\)\bf(?=unction_calls?\b)/],
    inProse: [
      [/tool_call(s|_result)?(?=\\*["'“”‘’]?\s*[:：])/gi, 'tool-call$1'],
      [/function_call(?=\\*["'“”‘’]?\s*[:：])/gi, 'function-call'],
    ],
  },
  resultFrame: { kind: 'object', key: RESULT_KEY },
  opensText: JSON_TEXT,
  lookalikes: [{ kind: 'object', key: 'tool_calls' }],
  missingMarkup: [{ kind: 'json', closer: '', openers: ['{"tool_calls":['] }],
  examples: {
    damaged: `Here you go:
{'tool_calls': [{name: 'read_file', 'parameters': {'path': '/notes/a.md', 'limit': '20',}}]}`,
    tour: null,
  },
}

/** One fenced envelope: `{"tool_calls":[{"name":…,"arguments":{…}}]}`. */
function formatCalls(calls: readonly CallToWrite[]): string {
  if (calls.length === 0) return ''
  const items = calls.map((call) => writeJson({ name: call.name, arguments: call.arguments }))
  return `\`\`\`json\n{"tool_calls":[${items.join(',\n')}]}\n\`\`\``
}

const formatResults = (results: readonly ResultToWrite[], boundary: string, neutralise: Neutraliser): FramedResults =>
  objectFrames(RESULT_KEY, results, boundary, neutralise)

const promptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
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

export const jsonStrict: StrategyModule = {
  id: 'JSON_Strict',
  summary: {
    en: 'One JSON object with all calls. Most models write it well.',
    'zh-CN': '一个包含全部调用的 JSON 对象，大多数模型都能写好。',
  },
  callsBy: 'model',
  dialect: jsonStrictDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

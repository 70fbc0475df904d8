import type { StrategyModule } from '../strategy-module'
import { formatCalls, formatResults } from './format'
import { jsonActionDialect } from './read'
import { jsonCare, jsonCarefulTexts, promptOf } from '../prompt/prompt-parts'
import type { PromptPart, ToolSpec } from '../types/tool-context-def'
import { JSON_TEXT, type StrategyFacts } from '../types/strategy-facts'

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

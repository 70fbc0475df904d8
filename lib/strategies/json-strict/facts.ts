import { JSON_TEXT } from '../strategy-facts'
import type { StrategyFacts } from '../strategy-facts'
import { RESULT_KEY } from './markup'

export const facts: StrategyFacts = {
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
    // The key, where a text holds it: JSON's own structure may have it too, and stays as it is.
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

import { JSON_TEXT } from '../strategy-facts'
import type { StrategyFacts } from '../strategy-facts'

export const facts: StrategyFacts = {
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

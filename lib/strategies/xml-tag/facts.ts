import type { StrategyFacts } from '../strategy-facts'
import { RESULT_TAG, TAG } from './markup'

export const facts: StrategyFacts = {
  signature: `<${TAG}>`,
  form: { reads: ['JSON between ', { code: `<${TAG}>` }, ' and ', { code: `</${TAG}>` }], begins: `<${TAG}>` },
  marks: {
    inResults: [/<(?=[\s/\\!]*(?:[\w.-]{1,32}:)?tool_(?:code|result))/],
    inProse: [[/<(\s*(?:\/\s*)?tool_(?:code|result))/gi, '‹$1']],
  },
  resultFrame: { kind: 'element', name: RESULT_TAG },
  lookalikes: [{ kind: 'element', tag: TAG }],
  missingMarkup: [
    { kind: 'json', closer: `</${TAG}>`, openers: [`<${TAG}>`] },
    {
      kind: 'tags',
      chains: [[`</${TAG}>`], ['</arguments>', `</${TAG}>`], ['</parameters>', `</${TAG}>`]],
    },
  ],
  damagedExample: `<TOOL_CODE>
{"name": "functions.read_file", "arguments": {"path": "/notes/a.md", "limit": "20",}}
</tool_call>`,
}

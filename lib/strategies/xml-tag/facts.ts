import { JSON_TEXT } from '../strategy-facts'
import type { StrategyFacts } from '../strategy-facts'
import { RESULT_TAG, TAG } from './markup'

export const facts: StrategyFacts = {
  signature: `<${TAG}>`,
  inShort: { call: 'a tag around JSON', goodFor: 'models that like tags' },
  form: {
    reads: {
      en: ['JSON between ', { code: `<${TAG}>` }, ' and ', { code: `</${TAG}>` }],
      'zh-CN': [' ', { code: `<${TAG}>` }, ' 与 ', { code: `</${TAG}>` }, ' 之间的 JSON'],
    },
    begins: `<${TAG}>`,
  },
  marks: {
    inResults: [/<(?=[\s/\\!]*(?:[\w.-]{1,32}:)?tool_(?:code|result))/],
    inProse: [[/<(\s*(?:\/\s*)?tool_(?:code|result))/gi, '‹$1']],
  },
  resultFrame: { kind: 'element', name: RESULT_TAG },
  opensText: JSON_TEXT,
  lookalikes: [{ kind: 'element', tag: TAG }],
  missingMarkup: [
    { kind: 'json', closer: `</${TAG}>`, openers: [`<${TAG}>`] },
    {
      kind: 'tags',
      chains: [[`</${TAG}>`], ['</arguments>', `</${TAG}>`], ['</parameters>', `</${TAG}>`]],
    },
  ],
  examples: {
    damaged: `<TOOL_CODE>
{"name": "functions.read_file", "arguments": {"path": "/notes/a.md", "limit": "20",}}
</tool_call>`,
    tour: `<think>The folder first, then the file.</think>
I’ll look at the folder.
<tool_code>{"name": "list_directory", "arguments": {"path": "/notes",}}</tool_code>
By the way, reading a file looks like this:
\`\`\`xml
<tool_code>{"name": "read_file", "arguments": {"path": "/a.md"}}</tool_code>
\`\`\`
<tool_call>{"name": "read_file", "arguments": {"path": "/notes/a.md"}}</tool_call>
And I’ll save the plan:
<tool_code>{"name": "write_file", "arguments": {"path": "/notes/b.md", "content": "# Plan
1. Ask for the two rows`,
  },
}

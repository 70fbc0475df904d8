import type { StrategyFacts } from '../strategy-facts'
import { RESULT_TAG, TAG } from './markup'

export const facts: StrategyFacts = {
  signature: `<${TAG}`,
  inShort: { call: 'an element with one a parameter', goodFor: 'long texts, no JSON' },
  form: {
    reads: { en: ['the tag ', { code: `<${TAG} name="…">` }], 'zh-CN': ['标签 ', { code: `<${TAG} name="…">` }] },
    begins: `<${TAG}`,
  },
  marks: {
    inResults: [/<(?=[\s/\\!]*(?:[\w.-]{1,32}:)?tool_action)/],
    inProse: [[/<(\s*(?:\/\s*)?tool_action)/gi, '‹$1']],
  },
  resultFrame: { kind: 'element', name: RESULT_TAG },
  opensText: /<([a-z_][\w-]{0,63})>/,
  lookalikes: [{ kind: 'element', tag: TAG }],
  missingMarkup: [{ kind: 'tags', chains: [[`</${TAG}>`]] }],
  examples: {
    damaged: `<Tool_Action name = 'read_file'>
<param name="path">/notes/a.md</param>
<limit value=20 />
</tool_action>`,
    tour: null,
  },
}

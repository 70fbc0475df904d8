import type { StrategyModule } from '../strategy-module'
import { formatCalls, formatResults, RESULT_TAG, TAG } from './markup'
import { toolActionDialect } from './read'
import { promptOf } from '../prompt/prompt-parts'
import type { PromptPart, ToolSpec } from '../types/tool-context-def'
import type { StrategyFacts } from '../types/strategy-facts'

const facts: StrategyFacts = {
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

const promptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
  promptOf(tools, formatCalls, {
    formatResults,
    form: 'To call a tool, write a tool_action element, not in a code block:',
    care: 'A text with line breaks or any of " < > & goes between the tags of its parameter, in a CDATA section, as it is:',
    careful: {
      text: 'She said "a < b & c".\nBye.',
      code: 'console.log("a < b")\n6 * 7',
      path: '/example/R&D "old".md',
    },
    rules: [
      '`name` is the tool. Each parameter below is an element of its own name, with its value in `value` or between its tags.',
      'Inside `value`, those characters are written as &quot; &lt; &gt; &amp;.',
      'Numbers as digits; lists and objects as JSON between the tags.',
      'One call an element. Several elements run in order; they are never nested.',
      'Write every value in full and close every element.',
      'To show a call without making it, put it in a code block.',
    ],
  })

export const toolAction: StrategyModule = {
  id: 'Tool_Action',
  summary: {
    en: 'An XML element with one element a parameter. Long texts stand between tags.',
    'zh-CN': '一个 XML 元素，每个参数是一个子元素；长文本放在标签之间。',
  },
  callsBy: 'model',
  dialect: toolActionDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

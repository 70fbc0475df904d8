import type { StrategyModule } from '../strategy-module'
import { xmlTagDialect } from './read'
import { jsonCare, jsonCarefulTexts, promptOf } from '../prompt/prompt-parts'
import type { PromptPart, ToolSpec, CallToWrite, FramedResults, ResultToWrite } from '../types/tool-context-def'
import { type Neutraliser, elementFrames } from '../neutralise/neutralise'
import { writeJson } from '../arguments/write-json'
import { RESULT_TAG, TAG } from './markup'
import { JSON_TEXT, type StrategyFacts } from '../types/strategy-facts'

const facts: StrategyFacts = {
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

/** One tag per call: `<tool_code>{"name":…,"arguments":{…}}</tool_code>`. */
function formatCalls(calls: readonly CallToWrite[]): string {
  return calls
    .map((call) => `<tool_code>\n${writeJson({ name: call.name, arguments: call.arguments })}\n</tool_code>`)
    .join('\n')
}

const formatResults = (results: readonly ResultToWrite[], boundary: string, neutralise: Neutraliser): FramedResults =>
  elementFrames(RESULT_TAG, results, boundary, neutralise)

const promptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
  promptOf(tools, formatCalls, {
    formatResults,
    form: 'To call a tool, write a JSON object between <tool_code> tags, not in a code block:',
    care: `${jsonCare}; < > & stay as they are:`,
    careful: jsonCarefulTexts,
    rules: [
      'One call between the tags. For several calls write several pairs of tags; they run in order.',
      'Each call has `name` and `arguments`, an object with only the parameters listed below.',
      'Strict JSON: double quotes, no comments, no trailing commas. Write every value in full and close the tag.',
      'To show a call without making it, put it in a code block.',
    ],
  })

export const xmlTag: StrategyModule = {
  id: 'XML_Tag',
  summary: {
    en: 'JSON between <tool_code> tags. Good for models trained on tags.',
    'zh-CN': '<tool_code> 标签之间的 JSON，适合用标签训练过的模型。',
  },
  callsBy: 'model',
  dialect: xmlTagDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

import type { StrategyFacts } from '../types/strategy-facts'
import { END, LABELS, RESULTS_END, RESULTS_START, START } from './markers'

export const facts: StrategyFacts = {
  signature: START,
  toldTool: /^<<<\[TOOL_DEFINITION\]>>>\ntool_name:「始」(\w+)「末」/gm,
  inShort: { call: 'fields between markers', goodFor: 'long texts without escaping' },
  form: {
    reads: {
      en: ['fields between ', { code: START }, ' and ', { code: END }],
      'zh-CN': [' ', { code: START }, ' 与 ', { code: END }, ' 之间的字段'],
    },
    begins: START,
  },
  marks: {
    inResults: [/<(?=<)/, /[「」『』]/, /\[(?=\[VCP)/, /V(?=CP(?:调用|ToolCall))/],
    inProse: [
      [/<{2,4}\s*\[\s*(\/?(?:END_)?TOOL_(?:REQUEST|DEFINITION))/gi, '[$1'],
      [/「(始|末)/g, '«$1'],
      [/\[\[\s*VCP/gi, '[VCP'],
    ],
  },
  resultFrame: { kind: 'block', open: RESULTS_START, close: RESULTS_END, loosely: /\[\[\s*VCP/, labels: LABELS },
  opensText: /([\w-]{1,64})\s{0,4}[:：]\s{0,4}「始/,
  lookalikes: [{ kind: 'bracketed', words: 'TOOL_REQUEST', end: 'END_TOOL_REQUEST', opens: /^<{2,4}\[/, value: '始' }],
  missingMarkup: [{ kind: 'block', start: START, end: END }],
  examples: {
    damaged: `<<[tool_request]>>
Tool_Name：「始」read_file「末」，
path：「始」/notes/a.md「末」，
limit：「始」20「末」
<<[end_tool_request]>>`,
    tour: null,
  },
}

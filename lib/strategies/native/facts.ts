import { JSON_TEXT } from '../strategy-facts'
import type { StrategyFacts } from '../strategy-facts'
import { FRAME_MARK } from '../framed-calls/frame'

export const facts: StrategyFacts = {
  signature: null,
  inShort: { call: "the model's own form", goodFor: 'models whose server offers it' },
  form: {
    reads: { en: ['no call from text: calls come beside it'], 'zh-CN': ['文本之外的调用，而不读取文本中的'] },
    begins: null,
  },
  marks: {
    // It may stand in names, and never raw in JSON.
    inResults: [new RegExp(FRAME_MARK)],
    inProse: [[new RegExp(FRAME_MARK, 'g'), '\u241e']],
  },
  resultFrame: { kind: 'object', key: 'tool_result' },
  opensText: JSON_TEXT,
  lookalikes: [],
  missingMarkup: [],
  examples: {
    damaged: null,
    tour: null,
  },
}

import type { StrategyFacts } from '../strategy-facts'
import { FRAME_MARK } from './frame'

export const facts: StrategyFacts = {
  signature: null,
  form: { reads: ['no call from text: calls come beside it'], begins: null },
  marks: {
    // It may stand in names, and never raw in JSON.
    inResults: [new RegExp(FRAME_MARK)],
    inProse: [[new RegExp(FRAME_MARK, 'g'), '\u241e']],
  },
  resultFrame: { kind: 'object', key: 'tool_result' },
  lookalikes: [],
  missingMarkup: [],
  damagedExample: null,
}

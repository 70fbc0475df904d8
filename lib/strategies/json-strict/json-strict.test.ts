import { strategyContract, strategyOf } from '../strategy.contract'
import { jsonStrictCases } from './cases'

strategyContract(strategyOf('JSON_Strict'), {
  wrap: (json) => `\`\`\`json\n{"tool_calls":[${json}]}\n\`\`\``,
  cases: jsonStrictCases,
  valuesAreText: false,
})

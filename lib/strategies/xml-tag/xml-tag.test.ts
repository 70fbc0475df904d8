import { strategyContract, strategyOf } from '../strategy.contract'
import { xmlTagCases } from './cases'

strategyContract(strategyOf('XML_Tag'), {
  wrap: (json) => `<tool_code>${json}</tool_code>`,
  cases: xmlTagCases,
  valuesAreText: false,
})

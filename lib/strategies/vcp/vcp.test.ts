import { strategyContract, strategyOf } from '../strategy.contract'
import { vcpCases } from './cases'

strategyContract(strategyOf('VCP'), {
  wrap: (json) => `<<<[TOOL_REQUEST]>>>\n${json}\n<<<[END_TOOL_REQUEST]>>>`,
  cases: vcpCases,
  valuesAreText: true,
})

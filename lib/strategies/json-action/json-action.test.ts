import { strategyContract, strategyOf } from '../strategy.contract'
import { jsonActionCases } from './cases'

strategyContract(strategyOf('JSON_Action'), {
  wrap: (json) => {
    const nested = json.includes('"function":{')
    const body = nested ? json.replace('{', '{"action":"tool_call",') : `{"action":"tool_call","function":${json}}`
    return `\`\`\`json\n${body}\n\`\`\``
  },
  cases: jsonActionCases,
  valuesAreText: false,
  fencedFrame: true,
})

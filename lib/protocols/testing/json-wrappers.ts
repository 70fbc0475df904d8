import type { RepairCode } from '../types/segment'
import type { StrategyId } from '../types/tool-context-def'

export interface JsonWrapper {
  readonly strategy: StrategyId
  /** Wraps a call object in the strategy's own markup. */
  readonly wrap: (json: string) => string
  /** Repairs that the markup itself causes. */
  readonly repairs: readonly RepairCode[]
}

/** The strategies whose calls are, or may be, JSON. */
export const jsonWrappers: Readonly<Partial<Record<StrategyId, JsonWrapper>>> = {
  JSON_Strict: {
    strategy: 'JSON_Strict',
    wrap: (json) => `\`\`\`json\n{"tool_calls":[${json}]}\n\`\`\``,
    repairs: [],
  },
  XML_Tag: { strategy: 'XML_Tag', wrap: (json) => `<tool_code>${json}</tool_code>`, repairs: [] },
  JSON_Action: {
    strategy: 'JSON_Action',
    wrap: (json) => {
      const nested = json.includes('"function":{')
      const body = nested ? json.replace('{', '{"action":"tool_call",') : `{"action":"tool_call","function":${json}}`
      return `\`\`\`json\n${body}\n\`\`\``
    },
    repairs: [],
  },
  VCP: {
    strategy: 'VCP',
    wrap: (json) => `<<<[TOOL_REQUEST]>>>\n${json}\n<<<[END_TOOL_REQUEST]>>>`,
    repairs: ['json-body'],
  },
}

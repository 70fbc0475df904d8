import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { jsonActionDialect } from './read'

export const jsonAction: StrategyModule = {
  id: 'JSON_Action',
  summary: {
    en: 'A JSON block with an action, as agents of the LangChain kind write it.',
    'zh-CN': '带有 action 的 JSON 块，即 LangChain 一类智能体的写法。',
  },
  callsBy: 'model',
  dialect: jsonActionDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

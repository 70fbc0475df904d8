import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { jsonActionDialect } from './read'

export const jsonAction: StrategyModule = {
  id: 'JSON_Action',
  summary: 'A JSON block with an action, as agents of the LangChain kind write it.',
  callsBy: 'model',
  dialect: jsonActionDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

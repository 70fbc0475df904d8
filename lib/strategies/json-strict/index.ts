import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { jsonStrictDialect } from './read'

export const jsonStrict: StrategyModule = {
  id: 'JSON_Strict',
  summary: 'One JSON object with all calls. Most models write it well.',
  callsBy: 'model',
  dialect: jsonStrictDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { toolActionDialect } from './read'

export const toolAction: StrategyModule = {
  id: 'Tool_Action',
  summary: 'An XML element with one element a parameter. Long texts stand between tags.',
  callsBy: 'model',
  dialect: toolActionDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

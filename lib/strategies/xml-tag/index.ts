import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { xmlTagDialect } from './read'

export const xmlTag: StrategyModule = {
  id: 'XML_Tag',
  summary: 'JSON between <tool_code> tags. Good for models trained on tags.',
  callsBy: 'model',
  dialect: xmlTagDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

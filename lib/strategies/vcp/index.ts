import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { vcpDialect } from './read'

export const vcp: StrategyModule = {
  id: 'VCP',
  summary: 'Blocks of plain-text fields, as in VCPToolBox. Long texts need no escaping.',
  callsBy: 'model',
  dialect: vcpDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { vcpDialect } from './read'

export const vcp: StrategyModule = {
  id: 'VCP',
  summary: {
    en: 'Blocks of plain-text fields, as in VCPToolBox. Long texts need no escaping.',
    'zh-CN': '纯文本字段组成的块，与 VCPToolBox 相同；长文本无需转义。',
  },
  callsBy: 'model',
  dialect: vcpDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

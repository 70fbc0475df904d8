import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { xmlTagDialect } from './read'

export const xmlTag: StrategyModule = {
  id: 'XML_Tag',
  summary: {
    en: 'JSON between <tool_code> tags. Good for models trained on tags.',
    'zh-CN': '<tool_code> 标签之间的 JSON，适合用标签训练过的模型。',
  },
  callsBy: 'model',
  dialect: xmlTagDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

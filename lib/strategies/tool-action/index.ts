import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { toolActionDialect } from './read'

export const toolAction: StrategyModule = {
  id: 'Tool_Action',
  summary: {
    en: 'An XML element with one element a parameter. Long texts stand between tags.',
    'zh-CN': '一个 XML 元素，每个参数是一个子元素；长文本放在标签之间。',
  },
  callsBy: 'model',
  dialect: toolActionDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

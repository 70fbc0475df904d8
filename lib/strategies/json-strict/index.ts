import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults } from './format'
import { promptParts } from './prompt'
import { jsonStrictDialect } from './read'

export const jsonStrict: StrategyModule = {
  id: 'JSON_Strict',
  summary: {
    en: 'One JSON object with all calls. Most models write it well.',
    'zh-CN': '一个包含全部调用的 JSON 对象，大多数模型都能写好。',
  },
  callsBy: 'model',
  dialect: jsonStrictDialect,
  promptParts,
  formatCalls,
  formatResults,
  ...facts,
}

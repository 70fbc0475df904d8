import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults, showCalls } from './format'
import { promptParts } from './prompt'
import { nativeDialect } from './read'
import { NativeScanner } from './scanner'

export const native: StrategyModule = {
  id: 'Native',
  summary: {
    en: 'The model’s own tool calling, where its server offers it.',
    'zh-CN': '模型自带的工具调用，需要它的服务器提供。',
  },
  callsBy: 'provider',
  dialect: nativeDialect,
  promptParts,
  formatCalls,
  showCalls,
  formatResults,
  createScanner: (options) => new NativeScanner(options, 'live'),
  ...facts,
}

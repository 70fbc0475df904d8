import type { StrategyModule } from '../strategy-module'
import { facts } from './facts'
import { formatCalls, formatResults, showCalls } from './format'
import { promptParts } from './prompt'
import { nativeDialect } from './read'
import { NativeScanner } from './scanner'

export const native: StrategyModule = {
  id: 'Native',
  summary: 'The model’s own tool calling, where its server offers it.',
  callsBy: 'provider',
  dialect: nativeDialect,
  promptParts,
  formatCalls,
  showCalls,
  formatResults,
  createScanner: (options) => new NativeScanner(options),
  ...facts,
}

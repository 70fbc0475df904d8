import { toolContextBuilder } from './tool-context-builder'
import type { CallToWrite, StrategyId } from './types/tool-context-def'

const sample: CallToWrite = { name: 'read_file', arguments: { path: '/notes/a.md' } }

/** How a model writes a call in a strategy, for people who compare them; null: its calls come beside the text. */
export function sampleCall(id: StrategyId): string | null {
  const strategy = toolContextBuilder.get(id)
  if (strategy.callsBy === 'provider') return null
  return strategy.showCalls?.([sample]) ?? strategy.formatCalls([sample])
}

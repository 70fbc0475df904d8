import { strategyModules } from './registry'
import type { StrategyModule } from './strategy-module'

const byId = new Map<string, StrategyModule>(strategyModules.map((module) => [module.id, module]))

/** The facts that a strategy's folder declares; undefined for an unknown id. */
export const factsOf = (id: string): StrategyModule | undefined => byId.get(id)

export { strategyModules }

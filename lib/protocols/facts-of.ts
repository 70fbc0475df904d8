import { strategyModules } from './registry'
import type { StrategyModule } from './strategy-module'

const byId = new Map<string, StrategyModule>(strategyModules.map((module) => [module.id, module]))

/** What the folder of a strategy says of it; undefined for what is none. */
export const factsOf = (id: string): StrategyModule | undefined => byId.get(id)

export { strategyModules }

import { strategyContract } from './strategy.contract'
import { strategies } from './registry'

// Every strategy in the registry must pass it, including new ones.
for (const def of strategies) strategyContract(def)

import { strategyContract } from './strategy.contract'
import { strategies } from './registry'

// Every strategy of the registry runs it, a new one too.
for (const def of strategies) strategyContract(def)

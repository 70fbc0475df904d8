import { strategyContract, strategyOf } from '../strategy.contract'

strategyContract(strategyOf('JSON_Strict'), { valuesAreText: false })

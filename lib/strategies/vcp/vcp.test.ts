import { strategyContract, strategyOf } from '../strategy.contract'

strategyContract(strategyOf('VCP'), { valuesAreText: true })

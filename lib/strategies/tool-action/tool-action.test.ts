import { strategyContract, strategyOf } from '../strategy.contract'

strategyContract(strategyOf('Tool_Action'), { valuesAreText: true })

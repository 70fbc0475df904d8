import { strategyContract, strategyOf } from '../strategy.contract'

strategyContract(strategyOf('JSON_Action'), { valuesAreText: false, fencedFrame: true })

import { strategyContract, strategyOf } from '../strategy.contract'

strategyContract(strategyOf('XML_Tag'), { valuesAreText: false })

import { strategyContract, strategyOf } from '../strategy.contract'
import { toolActionCases } from './cases'

strategyContract(strategyOf('Tool_Action'), { wrap: null, cases: toolActionCases, valuesAreText: true })

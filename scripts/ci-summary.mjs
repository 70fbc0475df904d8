import { addTallies, readTally, tallyLine } from './setup/tally.mjs'

const total = addTallies([await readTally('check'), await readTally('test')])
console.log(tallyLine(total))
process.exitCode = total.failed === 0 ? 0 : 1

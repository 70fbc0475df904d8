import { addTallies, readTally, tallyLine } from './setup/tally.mjs'

const tallies = [await readTally('check'), await readTally('test')]
const names = tallies.flatMap((tally) => tally.names ?? [])
if (names.length > 0) console.log(`Failed:\n${names.join('\n')}`)
const total = addTallies(tallies)
console.log(tallyLine(total))
process.exitCode = total.failed === 0 ? 0 : 1

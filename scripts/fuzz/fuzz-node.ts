// Random file calls on Node's own fs and on the sandbox's, for this many rounds: `npm run fuzz -- node 5000 [first
// seed]`. Prints each difference with its seed, and then exits with code 1.
import '@/lib/i18n/server-messages'
import { fuzzRound } from '@/lib/sandbox/frame/node/testing/fuzz-files'

const rounds = Number(process.argv[2] ?? 2_000)
const firstSeed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
let different = 0
for (let seed = firstSeed; seed < firstSeed + rounds && different < 10; seed++) {
  const found = await fuzzRound(seed)
  if (found.length === 0) continue
  different++
  console.log(`seed ${seed}\n${found.join('\n')}\n`)
}
console.log(
  `${rounds} rounds of 40 calls, seeds from ${firstSeed}: ${different === 0 ? 'nothing differs' : `${different} differ`}`,
)
process.exitCode = different === 0 ? 0 : 1

import { expect, test } from 'vitest'
import { fuzzRound } from './testing/fuzz-files'

// `npm run fuzz -- node` runs more of it, for any length of time.
const firstSeed = Number(process.env['FUZZ_SEED'] ?? 20_261_122)
const rounds = 120

test(`random calls give the same results and files as Node’s own fs (seeds from ${firstSeed})`, async () => {
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    expect(await fuzzRound(seed), `seed ${seed}`).toEqual([])
  }
}, 60_000)

import { expect, test } from 'vitest'
import { fuzzRound } from './testing/fuzz-files'

// `npm run fuzz -- node` does more of it, for as long as one likes.
const firstSeed = Number(process.env['FUZZ_SEED'] ?? 20_261_122)
const rounds = 120

test(`random calls do the same as on Node’s own fs, and are kept so (seeds from ${firstSeed})`, async () => {
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    expect(await fuzzRound(seed), `seed ${seed}`).toEqual([])
  }
}, 60_000)

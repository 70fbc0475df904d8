import { describe, expect, it } from 'vitest'
import { grammarOf } from './grammar-of'
import { createRandom } from './grammar/grammar'
import { walk } from './testing/walk-grammar'
import { strategies } from './registry'
import { readsAs, sampleOf, type SampleWay } from './testing/grammar-samples'
import { inventedCall, liveCalls } from './testing/live-calls'
import { randomTools } from './testing/random-tools'
import { structureOf, damagesAt } from './testing/damages'

/** A fixed share of `npm run fuzz -- grammar`. */
const SEEDS = Array.from({ length: 6 }, (_, i) => 7000 + i)
/** Seeds of other sets of tools, for the damage tests. */
const DAMAGE_SEEDS = Array.from({ length: 14 }, (_, i) => 900_000 + i)
/** Values without any structural characters. */
const QUIET = ['tea', 'a b', ' ', '/tmp/x', 'é', '好', 'path', 'name']

const bound = strategies.filter((def) => grammarOf(def.id, randomTools(createRandom(1))) !== null)

describe.each(bound)('$id, with tools of every kind', (def) => {
  const ways = (['call', 'reply', 'whole'] as const).flatMap((part) =>
    [false, true].flatMap((hostile) => [null, 3].map((piece): SampleWay => ({ part, hostile, piece }))),
  )

  it('reads what its grammar writes as exactly its calls, hostile text or not, whole or in pieces', () => {
    let calls = 0
    for (const seed of SEEDS) {
      const random = createRandom(seed)
      const tools = randomTools(random)
      const grammar = grammarOf(def.id, tools)
      for (const way of grammar ? ways : [])
        for (let i = 0; i < 5; i++) {
          const sample = grammar ? sampleOf(grammar, way, random) : null
          if (!grammar || !sample) continue
          calls += sample.calls.length
          expect([sample.text, readsAs(def, sample, tools, grammar, way)]).toEqual([sample.text, null])
        }
    }
    expect(calls).toBeGreaterThan(100)
  })

  it('never reads a different call if a character is lost, doubled or changed', () => {
    let damages = 0
    for (const seed of DAMAGE_SEEDS) {
      const random = createRandom(seed)
      const tools = randomTools(random).filter(({ name }) => !name.endsWith('\\'))
      const grammar = grammarOf(def.id, tools)
      if (!grammar) continue
      for (let i = 0; i < 12; i++) {
        const { text } = walk(grammar.call, random, { words: QUIET })
        const written = liveCalls(def, text, tools)
        const places = structureOf(def.id, text)
        for (let n = 0; n < 6 && places.length > 0; n++) {
          const damage = random.pick(damagesAt(def.id, text, random.pick(places)))
          damages++
          expect([damage.text, inventedCall(written, liveCalls(def, damage.text, tools))]).toEqual([damage.text, null])
        }
      }
    }
    expect(damages).toBeGreaterThan(500)
  })
})

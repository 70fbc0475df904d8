import { strategies } from '@/lib/protocols/registry'
import { inventedCall, liveCalls } from '@/lib/protocols/testing/live-calls'
import { nestedShapes, nestedText } from '@/lib/protocols/testing/nested-calls'
import { structureOf, damagesAt } from '@/lib/protocols/testing/damages'
import { failOnGaps } from '@/lib/protocols/types/segment'
import { createRandom, type Random } from '@/lib/protocols/grammar/grammar'
import type { ToolContextDef } from '@/lib/protocols/types/tool-context-def'

failOnGaps()

/** The results for the damaged texts of one strategy. */
interface Tally {
  damages: number
  /** A call is still live, as it was written. */
  read: number
  wrong: number
  unread: number
}

function damageOne(def: ToolContextDef, random: Random, tally: Tally): string | null {
  const one = nestedText(def, random.int(nestedShapes(def)))
  const written = liveCalls(def, one.text, one.tools)
  if (written.length !== one.calls.length) {
    tally.unread++
    return `not read as written: ${JSON.stringify(one.text)}`
  }
  const places = structureOf(def.id, one.text)
  const damage = random.pick(damagesAt(def.id, one.text, random.pick(places)))
  const live = liveCalls(def, damage.text, one.tools)
  tally.damages++
  const invented = inventedCall(written, live)
  if (invented === null) {
    if (live.length > 0) tally.read++
    return null
  }
  tally.wrong++
  return `${damage.what}: ${invented}\n  ${JSON.stringify(damage.text)}`
}

/**
 * Damages `count` texts of each strategy whose calls contain calls as data; prints a row for each. Returns the
 * findings.
 */
export function fuzzNested(count: number, firstSeed: number, show: number): number {
  let wrong = 0
  for (const def of strategies) {
    const tally: Tally = { damages: 0, read: 0, wrong: 0, unread: 0 }
    for (let n = 0; n < count; n++) {
      const seed = firstSeed + n
      const found = damageOne(def, createRandom(seed), tally)
      if (found !== null && tally.wrong + tally.unread <= show) console.log(`seed ${seed}  ${def.id}: ${found}`)
    }
    wrong += tally.wrong + tally.unread
    console.log(
      `${def.id.padEnd(12)} ${tally.damages} damages, ${tally.read} still read, ${tally.wrong} with another call or other values`,
    )
  }
  return wrong
}

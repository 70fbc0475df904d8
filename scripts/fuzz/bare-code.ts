import { createRandom } from '@/lib/protocols/grammar/grammar'
import {
  bareTexts,
  judgeBare,
  passageOf,
  quotedFormats,
  readSources,
  type BareText,
} from '@/lib/protocols/testing/bare-code'
import { failOnGaps } from '@/lib/protocols/types/segment'

failOnGaps()

interface Tally {
  right: number
  refused: number
  wrong: number
}

/**
 * `count` passages of this repository's files with bare quotes, whole and cut, in all JSON formats; returns the
 * findings.
 */
export function fuzzBareCode(count: number, seed: number, show: number): number {
  const sources = readSources()
  const formats = quotedFormats()
  const random = createRandom(seed)
  const whole = new Map<string, Tally>()
  const cut = new Map<string, Tally>()
  let wrong = 0
  const note = (tallies: Map<string, Tally>, one: BareText, text: string) => {
    const tally = tallies.get(one.strategy) ?? { right: 0, refused: 0, wrong: 0 }
    tallies.set(one.strategy, tally)
    const found = judgeBare(one, text)
    if (typeof found === 'string') tally[found]++
    else {
      tally.wrong++
      if (wrong++ < show) console.log(`${one.strategy}: ${found.live}\n  ${JSON.stringify(text)}`)
    }
  }
  for (let n = 0; n < count;) {
    const passage = random.chance(0.1) ? random.pick(formats) : passageOf(sources, random)
    if (passage === null) continue
    n++
    for (const one of bareTexts(passage, random)) {
      note(whole, one, one.text)
      for (let i = 0; i < 6; i++) note(cut, one, one.text.slice(0, one.from + random.int(one.text.length - one.from)))
    }
  }
  for (const [what, tallies] of [
    ['whole', whole],
    ['cut', cut],
  ] as const)
    for (const [strategy, { right, refused, wrong: bad }] of tallies)
      console.log(
        `${what.padEnd(6)} ${strategy.padEnd(12)} ${right} right, ${refused} refused, ${bad} wrong (${((100 * right) / (right + refused + bad)).toFixed(1)} % right)`,
      )
  return wrong
}

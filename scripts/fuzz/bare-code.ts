import { createRandom } from '@/lib/strategies/grammar/random'
import { bareTexts, bareTools, passageOf, quotedFormats, readSources } from '@/lib/strategies/testing/bare-code'
import type { BareText } from '@/lib/strategies/testing/bare-code'
import { liveCalls } from '@/lib/strategies/testing/live-calls'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { failOnGaps } from '@/lib/strategies/tiling'

failOnGaps()

interface Tally {
  right: number
  refused: number
  wrong: number
}

/** Whether all of the text was read, or nothing; else what was read instead. */
export function judgeBare(
  { strategy, content }: BareText,
  text: string,
): 'right' | 'refused' | { readonly live: string } {
  const live = liveCalls(toolContextBuilder.get(strategy), text, bareTools)
  if (live.length === 0) return 'refused'
  const [only] = live
  const right = live.length === 1 && only?.name === 'write_file' && only.arguments['content'] === content
  return right ? 'right' : { live: live.map((call) => `${call.name} ${JSON.stringify(call.arguments)}`).join('; ') }
}

/** `count` passages of this repository's files with bare quotes, whole and cut, in all JSON formats; returns what was wrong. */
export function fuzzBareCode(count: number, seed: number, show: number, root?: string): number {
  const sources = readSources(root)
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

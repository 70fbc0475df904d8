import { grammarOf } from '@/lib/protocols/grammar-of'
import { toGbnf, type Random } from '@/lib/protocols/grammar/grammar'
import { walk } from '@/lib/protocols/testing/walk-grammar'
import { inventedCall, liveCalls } from '@/lib/protocols/testing/live-calls'
import { MARKS } from '@/lib/protocols/testing/marks'
import { structureOf, damagesAt } from '@/lib/protocols/testing/damages'
import type { ToolContextDef, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { createCompiler } from './accepts'

/** Values without structural characters: one that is lost inside a value gives another value, which is no damage. */
const QUIET = ['tea', 'a b', ' ', '/tmp/x', 'é', '好', 'path', 'name']

export interface Checked {
  walks: number
  damages: number
  /** Damaged texts that XGrammar accepted, and that are parsed as no other call. */
  harmless: number
  readonly wrong: string[]
}

export const nothingChecked = (): Checked => ({ walks: 0, damages: 0, harmless: 0, wrong: [] })

/**
 * Lets XGrammar compile the grammars of one strategy with these tools, and checks that it accepts what they write, and
 * no damaged call that would be parsed as another one. Adds to `checked`; does nothing if the strategy has no grammar.
 */
export async function checkTools(
  { compile }: Awaited<ReturnType<typeof createCompiler>>,
  def: ToolContextDef,
  tools: readonly ToolSpec[],
  random: Random,
  { walks, damages }: { readonly walks: number; readonly damages: number },
  checked: Checked,
): Promise<void> {
  const grammar = grammarOf(def.id, tools)
  if (!grammar) return
  for (const part of ['call', 'reply', 'whole'] as const) {
    const of = grammar[part]
    if (!of) continue
    const compiled = await compile(toGbnf(of))
    for (let i = 0; i < walks; i++) {
      const { text } = walk(of, random, i % 2 === 0 ? {} : { words: MARKS })
      const taken = compiled.accepts(text)
      checked.walks++
      if (taken !== true) checked.wrong.push(`${def.id}, ${part}: refused at byte ${taken}: ${JSON.stringify(text)}`)
    }
    for (let i = 0; i < (part === 'call' ? damages : 0); i++) {
      const { text } = walk(of, random, { words: QUIET })
      const places = structureOf(def.id, text)
      if (places.length === 0) continue
      const damage = random.pick(damagesAt(def.id, text, random.pick(places)))
      checked.damages++
      if (compiled.accepts(damage.text) !== true) continue
      const invented = inventedCall(liveCalls(def, text, tools), liveCalls(def, damage.text, tools))
      if (invented === null) checked.harmless++
      else
        checked.wrong.push(
          `${def.id}: ${damage.what} was taken, and reads as ${invented}: ${JSON.stringify(damage.text)}`,
        )
    }
    compiled.dispose()
  }
}

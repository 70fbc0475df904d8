import { grammarOf } from '@/lib/protocols/grammar-of'
import { toGbnf } from '@/lib/protocols/grammar/to-gbnf'
import { walk } from '@/lib/protocols/testing/walk-grammar'
import type { Random } from '@/lib/protocols/grammar/grammar'
import { inventedCall, liveCalls } from '@/lib/protocols/testing/live-calls'
import { MARKS } from '@/lib/protocols/testing/marks'
import { structureOf, woundsAt } from '@/lib/protocols/testing/wounds'
import type { ToolContextDef, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { createCompiler } from './accepts'

/** Values without any sign of structure: a sign that is lost in a value is another value, and no wound. */
const QUIET = ['tea', 'a b', ' ', '/tmp/x', 'é', '好', 'path', 'name']

export interface Checked {
  walks: number
  wounds: number
  /** Wounds that XGrammar took, and that read as no other call. */
  harmless: number
  readonly wrong: string[]
}

export const nothingChecked = (): Checked => ({ walks: 0, wounds: 0, harmless: 0, wrong: [] })

/**
 * Has XGrammar compile the grammars of one strategy with these tools, and looks that it takes what they write, and no call with
 * a wound that would read as another one. Adds to `checked`; nothing where the strategy has no grammar.
 */
export async function checkTools(
  { compile }: Awaited<ReturnType<typeof createCompiler>>,
  def: ToolContextDef,
  tools: readonly ToolSpec[],
  random: Random,
  { walks, wounds }: { readonly walks: number; readonly wounds: number },
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
    for (let i = 0; i < (part === 'call' ? wounds : 0); i++) {
      const { text } = walk(of, random, { words: QUIET })
      const places = structureOf(def.id, text)
      if (places.length === 0) continue
      const wound = random.pick(woundsAt(def.id, text, random.pick(places)))
      checked.wounds++
      if (compiled.accepts(wound.text) !== true) continue
      const invented = inventedCall(liveCalls(def, text, tools), liveCalls(def, wound.text, tools))
      if (invented === null) checked.harmless++
      else
        checked.wrong.push(
          `${def.id}: ${wound.what} was taken, and reads as ${invented}: ${JSON.stringify(wound.text)}`,
        )
    }
    compiled.dispose()
  }
}

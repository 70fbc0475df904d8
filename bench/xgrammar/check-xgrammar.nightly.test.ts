import { beforeAll, describe, expect, it } from 'vitest'
import { grammarOf } from '@/lib/protocols/grammar-of'
import { createRandom, toGbnf } from '@/lib/protocols/grammar/grammar'
import { walk } from '@/lib/protocols/testing/walk-grammar'
import { strategies } from '@/lib/protocols/registry'
import { randomTools } from '@/lib/protocols/testing/random-tools'
import { testTools } from '@/lib/protocols/testing/tools'
import { createCompiler } from './accepts'
import { checkTools, nothingChecked } from './check-tools'

const bound = strategies.filter((def) => grammarOf(def.id, testTools) !== null)
let compiler: Awaited<ReturnType<typeof createCompiler>>

beforeAll(async () => {
  compiler = await createCompiler()
})

describe.each(bound)('$id under XGrammar', (def) => {
  it('accepts what its grammar writes, and no damaged call that would be another one', async () => {
    const checked = nothingChecked()
    for (const seed of [1, 2]) {
      const random = createRandom(seed)
      const tools = seed === 1 ? testTools : randomTools(random)
      await checkTools(compiler, def, tools, random, { walks: 20, damages: 120 }, checked)
    }
    expect(checked.wrong).toEqual([])
    expect(checked.walks).toBeGreaterThanOrEqual(80)
    expect(checked.damages).toBeGreaterThan(100)
    // In JSON nothing is left open: any damage is refused.
    if (def.id !== 'VCP' && def.id !== 'Tool_Action') expect(checked.harmless).toBe(0)
    expect(checked.harmless).toBeLessThan(checked.damages / 10)
  })

  it('refuses a call of a tool that is not offered, a cut-off call, and says where', async () => {
    const [one, other] = testTools.filter(({ disabled }) => disabled !== true)
    if (!one || !other) throw new Error('two tools are needed')
    const grammar = grammarOf(def.id, [one])
    const others = grammarOf(def.id, [other])
    if (!grammar || !others) throw new Error('no grammar')
    const compiled = await compiler.compile(toGbnf(grammar.call))
    const random = createRandom(5)
    for (let i = 0; i < 10; i++) {
      const { text } = walk(grammar.call, random)
      expect(compiled.accepts(text)).toBe(true)
      expect(compiled.accepts(text.slice(0, -1))).toBe(new TextEncoder().encode(text.slice(0, -1)).length)
      const foreign = walk(others.call, random).text
      const place = new TextEncoder().encode(foreign.slice(0, foreign.indexOf(other.name))).length
      expect(compiled.accepts(foreign)).toSatisfy((taken) => typeof taken === 'number' && taken >= place)
    }
    compiled.dispose()
  })
})

it('recognizes a text that is not a grammar', async () => {
  await expect(compiler.compile('root ::= "a')).rejects.toThrow()
})

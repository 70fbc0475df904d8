import { describe, expect, it } from 'vitest'
import { grammarOf } from './grammar-of'
import { createRandom, toGbnf } from './grammar/grammar'
import { toRegExp } from './testing/to-reg-exp'
import { walk } from './testing/walk-grammar'
import { strategies } from './registry'
import { readsAs } from './testing/grammar-samples'
import { testTools } from './testing/tools'

const withGrammar = strategies.flatMap((def) => {
  const grammar = grammarOf(def.id, testTools)
  return grammar ? [{ ...def, def, grammar }] : []
})

describe.each(withGrammar)('$id', ({ def, grammar }) => {
  it.each(['call', 'reply'] as const)(
    'reads everything that the grammar of a %s writes as exactly its calls',
    (part) => {
      const random = createRandom(11)
      let said = 0
      for (let i = 0; i < 400; i++) {
        const way = { part, hostile: false, piece: null }
        const sample = walk(grammar[part], random)
        said += sample.calls.length
        expect([sample.text, readsAs(def, sample, testTools, grammar, way)]).toEqual([sample.text, null])
      }
      expect(said).toBeGreaterThan(15)
    },
  )

  it('is GBNF in which every used name has one rule', () => {
    for (const part of ['call', 'reply'] as const) {
      const lines = toGbnf(grammar[part]).split('\n')
      const names = lines.map((line) => /^([a-z0-9-]+) ::= /.exec(line)?.[1] ?? line)
      expect(new Set(names).size).toBe(names.length)
      expect(names[0]).toBe('root')
      const used = lines.flatMap((line) =>
        line
          .replace(/^.*? ::= /, '')
          .replaceAll(/"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]/g, ' ')
          .match(/[a-z][a-z0-9-]*/g),
      )
      expect(used.filter((name) => name !== null && !names.includes(name))).toEqual([])
    }
  })

  it('is a RegExp that matches what it writes, if no value of the tools may be any JSON', () => {
    const tools = testTools.filter(({ name }) => name !== 'draw')
    const call = grammarOf(def.id, tools)?.call
    const expression = call ? toRegExp(call) : null
    // Text that must not contain a mark of the form is an automaton, which has no RegExp.
    expect(expression === null).toBe(def.id === 'VCP' || def.id === 'Tool_Action')
    if (expression === null) return
    const random = createRandom(3)
    for (let i = 0; i < 100; i++) {
      const text = call ? walk(call, random).text : ''
      expect([text, expression.test(text)]).toEqual([text, true])
      expect(expression.test(text.slice(1))).toBe(false)
    }
    expect(toRegExp(grammar.call)).toBeNull()
  })

  it('writes no call of a disabled tool', () => {
    expect(toGbnf(grammar.reply)).not.toContain('delete_path')
  })
})

it('constrains nothing if no tool can be called', () => {
  expect(grammarOf('JSON_Strict', [])).toBeNull()
  expect(grammarOf('Native', testTools)).toBeNull()
})

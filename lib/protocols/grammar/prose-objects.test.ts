import { describe, expect, it } from 'vitest'
import { grammarOf } from '../grammar-of'
import { testTools } from '../testing/tools'
import { takesChar, type Grammar, type Prose } from './grammar'

function proseOf(node: Grammar): Prose | null {
  if (node.kind === 'prose') return node.prose
  return node.kind === 'seq' ? (node.items.map(proseOf).find((prose) => prose !== null) ?? null) : null
}

/**
 * What a reply's grammar makes of a text: `call` if a call begins at its end, `words` if none does, or the position
 * that it rejects.
 */
function madeOf(prose: Prose, text: string): 'call' | 'words' | number {
  let at = prose.start
  let body: unknown
  for (const [i, char] of Array.from(text).entries()) {
    const step = body ? undefined : prose.states[at]?.steps.find(({ on }) => takesChar(on, char.codePointAt(0) ?? 0))
    if (!step) return i
    at = step.to
    body = step.body
  }
  return body ? 'call' : 'words'
}

const FORMS = [
  ['JSON_Strict', '{"tool_calls"'],
  ['JSON_Action', '{"action":"tool_call"'],
  ['JSON_Action', '[\n{"action":"tool_call"'],
] as const

/** Each of these puts what follows into the object that it begins. */
const BEGUN = [
  '{a:',
  '{ "a" : ',
  '{"a":\ufeff',
  '{"a" :\u3000\u200b',
  '{"a": \\n',
  '{a: [',
  '{a: ["x", ',
  '{`a`:',
  '{a:1,`b`: ',
  '{a: `x`, `b`: ',
  '{a: "x", b: ',
  "{a: 'x', b: ",
  '{a: "x{\\"y\\"", b: ',
  '{a：“x”, b: ',
  '{a: // x\n',
  '{"a":"b"// x\n',
  "{a: 'b'# x\n",
  '{a: `b`/* x */ , c: ',
  '{a: [1]// x\n, b: ',
  '{a: # x\n',
  '{a: /* x */ ',
  '{a:\n`x`,\nb:\n',
  '{\n`a`:\n',
  '{a: [{b: "x"}, ',
]
/** A brace before the call's own counts as a doubled brace. */
const DOUBLED = ['{', '{ \n', '{{']
/** The object has ended, or was never one. */
const OUTSIDE = [
  '',
  '{a} ',
  '{`a`: 1} ',
  '{a: "x"} ',
  "{a: 'x'}\n",
  'a { b\n',
  '{a: "x", b: [1]}\n\n',
  'https://x.test/{a}: it is\n\n',
  '{a: /* x */ 1} ',
  '{"action":"deploy"}\n',
]

describe.each(FORMS)('the grammar of a reply in %s, before %j', (id, opener) => {
  const grammar = grammarOf(id, testTools)
  const prose = grammar ? proseOf(grammar.reply) : null

  it.each(['{"a":"x{', '{{"a":"', "{a: '", '{a: ["'])(
    'rejects the beginning of a call in a text, with its brace escaped or not: %j',
    (before) => {
      if (!prose) return
      for (const brace of ['{', '\\{', '\\{ '])
        expect([brace, madeOf(prose, `${before}${brace}${opener.replaceAll(/^[[{\s]+/g, '')}`)]).toEqual([
          brace,
          expect.any(Number),
        ])
    },
  )

  it.each([...BEGUN, ...(opener.startsWith('{') ? DOUBLED : [])])(
    'rejects calls that begin in an object of prose: %j',
    (before) => {
      expect(prose).not.toBeNull()
      if (!prose) return
      expect(madeOf(prose, before)).toBe('words')
      expect(madeOf(prose, before + opener)).toBeTypeOf('number')
    },
  )

  it.each(OUTSIDE)('accepts calls that begin outside: %j', (before) => {
    expect(prose && madeOf(prose, before + opener)).toBe('call')
  })

  it.each(['{a: "x\n', "{a: ['x\n", '{a: `x\n', '{a: “x\n', '{a: "`', '{a: "<c', '{a: """', '{a: // {'])(
    'rejects texts in such an object that stay open or hide what follows: %j',
    (text) => {
      expect(prose && madeOf(prose, text)).toBe(Array.from(text).length - 1)
    },
  )

  it('accepts a code block with a call after an object that was never closed', () => {
    expect(prose && madeOf(prose, `So {a: 1\n\`\`\`json\n${opener}`)).toBe('call')
  })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fillVariables, variablesOf } from './starter-prompts'

it('finds each variable once, in the order of the text, and nothing else in braces', () => {
  expect(
    variablesOf('Write {{ what }} for {{who}}, then {{what}}. {{}} {{a\nb}} {one} {{ {nested} }} {{目标 读者}}'),
  ).toEqual(['what', 'who', '目标 读者'])
})

it('fills every place of a variable, and reads no variables in the values', () => {
  const prompt = '{{a}} and {{ b }}, {{a}}; {{c}}'
  expect(fillVariables(prompt, { a: '{{b}} $& $1', b: '' })).toBe('{{b}} $& $1 and , {{b}} $& $1; {{c}}')
})

it('leaves a text without variables as it is, and fills in any value', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, value) => {
      fc.pre(variablesOf(before).length === 0 && !before.endsWith('{'))
      expect(fillVariables(before, { x: value })).toBe(before)
      expect(fillVariables(`${before} {{x}}`, { x: value })).toBe(`${before} ${value}`)
      expect(fillVariables('{{__proto__}}', {})).toBe('{{__proto__}}')
    }),
  )
})

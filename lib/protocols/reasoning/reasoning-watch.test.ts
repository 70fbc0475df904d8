import { expect, it } from 'vitest'
import { createReasoningWatch } from './reasoning-watch'

const turnsOf = (pieces: readonly string[]): readonly string[] => {
  const { take } = createReasoningWatch()
  return pieces.flatMap((piece) => take(piece))
}

const texts: readonly (readonly [string, readonly string[]])[] = [
  ['<think>\na\n</think>\n\nHello', ['opens', 'closes']],
  ['<think>a</think> and\n<think>b</think>', ['opens', 'closes', 'opens', 'closes']],
  ['  <seed:think>a</seed:think>x', ['opens', 'closes']],
  ['[THINK]a[/THINK]b', ['opens', 'closes']],
  ['◁think▷a◁/think▷b', ['opens', 'closes']],
  ['<|channel|>analysis<|message|>a<|channel|>final<|message|>b', ['opens', 'closes']],
  ['<|START_THINKING|>a<|END_THINKING|>b', ['opens', 'closes']],
  ['one <think> in a line of words', []],
  ['a < b and [c] and <b>d</b>', []],
  ['<think>never closed', ['opens']],
]

it.each(texts)('%j, at every cut', (text, turns) => {
  expect(turnsOf([text])).toEqual(turns)
  expect(turnsOf(Array.from(text))).toEqual(turns)
  for (let cut = 1; cut < text.length; cut++) expect(turnsOf([text.slice(0, cut), text.slice(cut)])).toEqual(turns)
})

it('a lone bracket is not held back for long', () => {
  expect(turnsOf(['<', 'x'.repeat(200), '\n<think>', 'a', '</think>'])).toEqual(['opens', 'closes'])
})

import { expect, it } from 'vitest'
import { classifyWord } from './bare-word'

const values = ['null', 'true', 'False', 'None', '5', '-1.5', '2e3']

it('takes values that a slash joins for no text: the slash may stand in place of a comma or a bracket', () => {
  for (const one of values) {
    for (const other of values) for (const word of [`${one}/${other}`, `/${one}/${other}/`]) expectNone(word)
    for (const word of [`/${one}`, `${one}/`, `/${one}/`]) expectNone(word)
  }
})

it.each(['/dev/null', 'src/true.ts', './5', 'a/5', '~/null', 'nullable/x', 'trueish'])(
  'takes %s for a text that forgot its quotes',
  (word) => {
    expect(classifyWord(word, 0, word.length)).toMatchObject({
      node: { kind: 'string', value: word },
      repair: 'raw-value',
    })
  },
)

function expectNone(word: string): void {
  expect([word, classifyWord(word, 0, word.length)]).toEqual([word, null])
}

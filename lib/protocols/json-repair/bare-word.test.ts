import { expect, it } from 'vitest'
import { classifyWord } from './bare-quotes'

const classify = (word: string) => classifyWord(word, 0, word.length)
const values = ['null', 'true', 'False', 'None', '5', '-1.5', '2e3']

it('takes values that a slash joins for no text: the slash may be in place of a comma or a bracket', () => {
  const alone = values.flatMap((one) => [`/${one}`, `${one}/`, `/${one}/`])
  const pairs = values.flatMap((one) => values.flatMap((other) => [`${one}/${other}`, `/${one}/${other}/`]))
  expect([...alone, ...pairs].filter((word) => classify(word) !== null)).toEqual([])
})

it.each(['/dev/null', 'src/true.ts', './5', 'a/5', '~/null', 'nullable/x', 'trueish'])(
  'takes %s for a text that forgot its quotes',
  (word) => {
    expect(classify(word)).toMatchObject({ node: { kind: 'string', value: word }, repair: 'raw-value' })
  },
)

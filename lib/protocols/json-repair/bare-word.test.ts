import { expect, it } from 'vitest'
import { classifyWord } from './bare-quotes'

const classify = (word: string) => classifyWord(word, 0, word.length)
const values = ['null', 'true', 'False', 'None', '5', '-1.5', '2e3']

it('does not read values joined by a slash as a text: it may have replaced a comma or bracket', () => {
  const alone = values.flatMap((one) => [`/${one}`, `${one}/`, `/${one}/`])
  const pairs = values.flatMap((one) => values.flatMap((other) => [`${one}/${other}`, `/${one}/${other}/`]))
  expect([...alone, ...pairs].filter((word) => classify(word) !== null)).toEqual([])
})

it.each(['/dev/null', 'src/true.ts', './5', 'a/5', '~/null', 'nullable/x', 'trueish'])(
  'reads %s as a text without quotes',
  (word) => {
    expect(classify(word)).toMatchObject({ node: { kind: 'string', value: word }, repair: 'raw-value' })
  },
)

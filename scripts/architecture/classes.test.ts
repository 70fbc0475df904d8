import { expect, test } from 'vitest'
import { classesIn, classesStyledIn } from './classes'

const names = (source: string) => classesIn(source).map(({ name }) => name)

test.each([
  ['<p className="a b">', ['a', 'b']],
  ["<p className={open ? 'a b' : 'c'} title=\"no\">", ['a', 'b', 'c']],
  ['<p className={`a ${open ? "b" : ""} c`}>', ['a', 'c', 'b']],
  ['<p className={`a${look} b c-${tone}`}>', ['a'].slice(1).concat(['b'])],
  ["cx('a', kind === 'no' && 'b', kind !== 'no' ? `c` : null)", ['a', 'b', 'c']],
  ["recipe('a', { look: { default: 'b', 'go-next': 'c' } }) + 'no'", ['a', 'b', 'c']],
  ["<p className={button({ look: 'no' }, 'a')} />", ['a']],
  ["<p className={button({ look: open ? 'no' : undefined }, `a`)} />", ['a']],
  ["<p className={cx('a', x['b'])} /> 'no'", ['a', 'b']],
])('%s', (source, expected) => {
  expect([...new Set(names(source))].toSorted()).toEqual(expected.toSorted())
})

test('gives the line', () => {
  expect(classesIn('\n\n<p className="a">')).toEqual([{ name: 'a', line: 3 }])
})

test('finds classes of selectors, not of values, comments or layer names', () => {
  const css = '@layer x.y { .a > .b:not(.c)::after { width: 0.5rem; content: ".d" } /* .e {} */ @media (x) { .f {} } }'
  expect([...classesStyledIn(css)]).toEqual(['a', 'b', 'c', 'f'])
})

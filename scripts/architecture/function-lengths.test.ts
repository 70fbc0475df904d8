import { describe, expect, it } from 'vitest'
import { functionLengths, tooLong } from './function-lengths.mjs'

const lengthsOf = (text: string) =>
  Object.fromEntries(functionLengths('a.tsx', text).map(({ name, lines }) => [name, lines]))

describe('the lengths of functions', () => {
  it('are counted from the first line to the last, by whatever name they go', () => {
    const text = `
export function one() {
  return 1
}
const two = () => 2
const parts = {
  three() {
    return 3
  },
  four: async () => {

    return 4
  },
}
class Five {
  six() {}
}
export default function () {
  return 7
}`
    expect(lengthsOf(text)).toEqual({ one: 3, two: 1, three: 3, four: 4, six: 1, 'a function': 3 })
  })

  it('count what stands in them, functions too', () => {
    expect(lengthsOf('function outer() {\n  function inner() {\n    return 1\n  }\n  return inner\n}')).toEqual({
      outer: 6,
      inner: 3,
    })
  })

  it('leave markup out, and not what stands beside it', () => {
    const text = `
function Part({ items }) {
  const shown = items.filter(Boolean)
  if (shown.length === 0) return <p>Nothing</p>
  return (
    <ul>
      {shown.map((item) => (
        <li key={item}>
          {item}
        </li>
      ))}
    </ul>
  )
}`
    expect(lengthsOf(text)['Part']).toBe(5)
  })

  it('know where a function begins, in lines from 1', () => {
    expect(functionLengths('a.ts', '// A comment\n\nconst late = () => 1\n')).toEqual([
      { name: 'late', line: 3, lines: 1 },
    ])
  })
})

describe('what is too long', () => {
  const functions = [
    { file: 'a.ts', name: 'long', line: 1, lines: 121 },
    { file: 'a.ts', name: 'fits', line: 130, lines: 120 },
    { file: 'b.ts', name: 'known', line: 1, lines: 300 },
  ]

  it('is a problem, unless it is named as still to be split', () => {
    const { long, problems } = tooLong(functions, 120, new Set(['b.ts#known']))
    expect(long.map(({ name }: { readonly name: string }) => name)).toEqual(['long', 'known'])
    expect(problems).toEqual([expect.stringContaining('a.ts:1 long has 121 lines')])
  })

  it('is also a name that is excused and need not be', () => {
    const { problems } = tooLong(functions, 400, new Set(['b.ts#known', 'c.ts#gone']))
    expect(problems).toEqual([expect.stringContaining('b.ts#known'), expect.stringContaining('c.ts#gone')])
  })
})

import { describe, expect, it } from 'vitest'
import { among, noSelection, ranged, toggled, type Selection } from './chat-lines'

const order = ['a', 'b', 'c', 'd', 'e']
const chosen = ({ ids }: Selection) => [...ids].toSorted().join('')

describe('what is chosen of a list', () => {
  it('is each line that was touched once', () => {
    const both = toggled(toggled(noSelection, 'a'), 'c')
    expect(chosen(both)).toBe('ac')
    expect(chosen(toggled(both, 'a'))).toBe('c')
  })

  it('is a range from the line before, in either direction, and is taken back as one', () => {
    const four = ranged(toggled(noSelection, 'd'), 'b', order)
    expect(chosen(four)).toBe('bcd')
    expect(chosen(ranged(toggled(noSelection, 'b'), 'd', order))).toBe('bcd')
    // The line before was left out: so is the range.
    expect(chosen(ranged(toggled(four, 'd'), 'c', order))).toBe('b')
  })

  it('begins a range where none was begun, or its beginning is gone', () => {
    expect(chosen(ranged(noSelection, 'b', order))).toBe('b')
    expect(chosen(ranged({ ids: new Set(['x']), anchor: 'x' }, 'b', order))).toBe('bx')
  })

  it('loses what is gone from the list', () => {
    const two = toggled(toggled(noSelection, 'a'), 'b')
    expect(chosen(among(two, ['b', 'c']))).toBe('b')
    expect(among(two, order)).toBe(two)
  })
})

import { describe, expect, it } from 'vitest'
import { among, noSelection, ranged, toggled, type Selection } from './chat-lines'

const order = ['a', 'b', 'c', 'd', 'e']
const chosen = ({ ids }: Selection) => [...ids].toSorted().join('')

describe('the selection of a list', () => {
  it('contains each row that was clicked once', () => {
    const both = toggled(toggled(noSelection, 'a'), 'c')
    expect(chosen(both)).toBe('ac')
    expect(chosen(toggled(both, 'a'))).toBe('c')
  })

  it('extends from the last row in either direction, and is undone as a range', () => {
    const four = ranged(toggled(noSelection, 'd'), 'b', order)
    expect(chosen(four)).toBe('bcd')
    expect(chosen(ranged(toggled(noSelection, 'b'), 'd', order))).toBe('bcd')
    // The last row was deselected, so the range is too.
    expect(chosen(ranged(toggled(four, 'd'), 'c', order))).toBe('b')
  })

  it('starts a range at the clicked row if there is no anchor or it is gone', () => {
    expect(chosen(ranged(noSelection, 'b', order))).toBe('b')
    expect(chosen(ranged({ ids: new Set(['x']), anchor: 'x' }, 'b', order))).toBe('bx')
  })

  it('drops rows that are gone from the list', () => {
    const two = toggled(toggled(noSelection, 'a'), 'b')
    expect(chosen(among(two, ['b', 'c']))).toBe('b')
    expect(among(two, order)).toBe(two)
  })
})

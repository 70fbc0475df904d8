import { describe, expect, it } from 'vitest'
import { followTarget, nextStuck } from './follow-view'

describe('following the end', () => {
  it('lets go at the first tick upwards, even close to the end', () => {
    expect(nextStuck(true, { distance: 5, movedBy: -5, letGo: true })).toBe(false)
  })
  it('takes hold again when the reader comes back to within 48px, moving down', () => {
    expect(nextStuck(false, { distance: 40, movedBy: 60, letGo: false })).toBe(true)
    expect(nextStuck(false, { distance: 60, movedBy: 60, letGo: false })).toBe(false)
    expect(nextStuck(false, { distance: 0, movedBy: 0, letGo: false })).toBe(true)
  })
  it('does not let go because the text grew', () => {
    expect(nextStuck(true, { distance: 300, movedBy: 0, letGo: false })).toBe(true)
  })

  const page = { scrollTop: 0, scrollHeight: 2_000, clientHeight: 500, headTop: null, stopTop: null }
  it('goes to the end, but never past the head of a waiting card', () => {
    expect(followTarget(page)).toBe(1_500)
    expect(followTarget({ ...page, headTop: 900 })).toBe(828)
    expect(followTarget({ ...page, headTop: 1_900 })).toBe(1_500)
  })
  it('never goes back up for a card', () => {
    expect(followTarget({ ...page, scrollTop: 1_200, headTop: 900 })).toBe(1_200)
  })
  it('keeps a picture in view while what is written below it grows, unless a card waits for the reader', () => {
    expect(followTarget({ ...page, stopTop: 900 })).toBe(828)
    expect(followTarget({ ...page, scrollHeight: 1_200, stopTop: 900 })).toBe(700)
    expect(followTarget({ ...page, scrollTop: 1_200, stopTop: 900 })).toBe(1_200)
    expect(followTarget({ ...page, stopTop: 900, headTop: 1_300 })).toBe(1_228)
  })
})

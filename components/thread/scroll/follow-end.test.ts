import { describe, expect, it } from 'vitest'
import { followTarget, nextStuck } from './follow-view'

describe('following the end', () => {
  it('stops at the first wheel step upwards, even close to the end', () => {
    expect(nextStuck(true, { distance: 5, movedBy: -5, scrolledByReader: true })).toBe(false)
  })
  it('resumes when the reader comes back to within 48px, moving down', () => {
    expect(nextStuck(false, { distance: 40, movedBy: 60, scrolledByReader: false })).toBe(true)
    expect(nextStuck(false, { distance: 60, movedBy: 60, scrolledByReader: false })).toBe(false)
    expect(nextStuck(false, { distance: 0, movedBy: 0, scrolledByReader: false })).toBe(true)
  })
  it('does not stop because the text grew', () => {
    expect(nextStuck(true, { distance: 300, movedBy: 0, scrolledByReader: false })).toBe(true)
  })

  const page = {
    scrollTop: 0,
    scrollHeight: 2_000,
    clientHeight: 500,
    headTop: null,
    footBottom: null,
    dockTop: 400,
    stopTop: null,
  }
  it('scrolls to the end, but never past the head of a waiting card', () => {
    expect(followTarget(page)).toBe(1_500)
    expect(followTarget({ ...page, headTop: 900 })).toBe(828)
    expect(followTarget({ ...page, headTop: 1_900 })).toBe(1_500)
  })
  it('gives up space above a waiting card for its buttons, as long as its head stays visible', () => {
    expect(followTarget({ ...page, headTop: 900, footBottom: 1_200 })).toBe(828)
    expect(followTarget({ ...page, headTop: 900, footBottom: 1_260 })).toBe(868)
    expect(followTarget({ ...page, headTop: 900, footBottom: 1_284 })).toBe(892)
    expect(followTarget({ ...page, headTop: 900, footBottom: 1_700 })).toBe(892)
  })
  it('never scrolls back up for a card', () => {
    expect(followTarget({ ...page, scrollTop: 1_200, headTop: 900 })).toBe(1_200)
  })
  it('keeps a picture visible while text grows below it, unless a card waits for the reader', () => {
    expect(followTarget({ ...page, stopTop: 900 })).toBe(828)
    expect(followTarget({ ...page, scrollHeight: 1_200, stopTop: 900 })).toBe(700)
    expect(followTarget({ ...page, scrollTop: 1_200, stopTop: 900 })).toBe(1_200)
    expect(followTarget({ ...page, stopTop: 900, headTop: 1_300 })).toBe(1_228)
  })
})

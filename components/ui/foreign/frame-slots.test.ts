import { expect, test } from 'vitest'
import { createFrameSlots } from './sealed-frame'

function setUp(most: number) {
  const slots = createFrameSlots(most)
  const live: string[] = []
  const take = (name: string) =>
    slots.take({
      grant: () => void live.push(name),
      wait: () => {
        if (live.includes(name)) live.splice(live.indexOf(name), 1)
      },
    })
  return { take, live }
}

test('limits the number of live frames, and serves the others in request order', () => {
  const { take, live } = setUp(2)
  const [a, , c] = ['a', 'b', 'c', 'd'].map(take)
  expect(live).toEqual(['a', 'b'])
  c?.giveBack()
  a?.giveBack()
  expect(live).toEqual(['a', 'b', 'd'])
})

test('an insisting frame takes the oldest one’s slot, which returns when there is room', () => {
  const { take, live } = setUp(2)
  const [, b, c] = ['a', 'b', 'c'].map(take)
  c?.insist()
  c?.insist()
  expect(live).toEqual(['b', 'c'])
  b?.giveBack()
  expect(live).toEqual(['b', 'c', 'a'])
})

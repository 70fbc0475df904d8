import { expect, it } from 'vitest'
import { createWorkerHandoffs } from './worker-messages'

function stage() {
  const handoffs = createWorkerHandoffs()
  const born = () => {
    const told: string[] = []
    const handoff = handoffs.born(({ text }) => void told.push(text))
    const says = (id: string, text: string | null) => handoff.hear({ type: 'nod-handoff', id, text })
    return { told, says, dies: () => handoff.open() }
  }
  const holds = (left: string) => {
    const answer = handoffs.answer({ type: 'nod-holds', id: 'q', left })
    return answer.type === 'nod-answers' && answer.id === 'q' && answer.answers.length > 0
  }
  return { born, holds }
}

it('passes a handoff to the oldest worker when its worker dies, once, unless it was withdrawn', () => {
  const { born } = stage()
  const [first, second, third] = [born(), born(), born()]
  second.says('a', 'end a')
  second.says('b', 'end b')
  second.says('c', 'end c')
  second.says('b', null)
  second.says('c', 'end c otherwise')
  expect(first.told).toEqual([])
  second.dies()
  expect(first.told).toEqual(['end a', 'end c otherwise'])
  second.dies()
  expect([first.told.length, second.told, third.told]).toEqual([2, [], []])
})

it('accepts handoffs that are read after the death was noticed', () => {
  const { born } = stage()
  const [first, second] = [born(), born()]
  second.dies()
  second.says('a', 'end a')
  second.says('a', null)
  expect(first.told).toEqual(['end a'])
})

it('passes a handoff to the next worker if the successor dies before it is done, and only then', () => {
  const { born } = stage()
  const [first, second, third] = [born(), born(), born()]
  third.says('a', 'end a')
  third.says('b', 'end b')
  third.dies()
  first.says('a', null)
  first.says('own', 'end own')
  first.dies()
  expect(second.told.toSorted()).toEqual(['end b', 'end own'])
  second.says('b', null)
  second.says('own', null)
  second.dies()
  expect(born().told).toEqual([])
})

it('keeps a handoff for the next worker if all die at once', () => {
  const { born } = stage()
  const [first, second] = [born(), born()]
  first.says('a', 'end a')
  second.says('b', 'end b')
  first.dies()
  second.dies()
  // Read last.
  second.says('c', 'end c')
  const next = born()
  expect(next.told.toSorted()).toEqual(['end a', 'end b', 'end c'])
  next.dies()
  expect(born().told.toSorted()).toEqual(['end a', 'end b', 'end c'])
})

it('reports whether a living worker has a handoff, including a successor until it is done', () => {
  const { born, holds } = stage()
  const [first, second] = [born(), born()]
  second.says('a', 'end a')
  second.says('b', 'end b')
  expect(['a', 'b', 'c'].map(holds)).toEqual([true, true, false])
  second.says('b', null)
  expect(holds('b')).toBe(false)
  second.dies()
  expect(holds('a')).toBe(true)
  first.says('a', null)
  expect(holds('a')).toBe(false)
  first.says('d', 'end d')
  first.dies()
  expect(holds('d')).toBe(false)
})

import { expect, it } from 'vitest'
import { createWorkerWill } from './worker-will'

function stage() {
  const told: string[] = []
  const will = createWorkerWill((text) => told.push(text))
  const says = (id: string, text: string | null) => will.hear({ type: 'nod-will', id, text })
  return { told, will, says }
}

it('is told when the worker is gone, once, without what was taken back', () => {
  const { told, will, says } = stage()
  says('a', 'end a')
  says('b', 'end b')
  says('c', 'end c')
  says('b', null)
  says('c', 'end c otherwise')
  expect(told).toEqual([])
  will.open()
  expect(told).toEqual(['end a', 'end c otherwise'])
  will.open()
  expect(told).toHaveLength(2)
})

it('holds for what is read only after the death is seen', () => {
  const { told, will, says } = stage()
  will.open()
  says('a', 'end a')
  says('a', null)
  expect(told).toEqual(['end a'])
})

// @vitest-environment jsdom
import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { beforeEach, expect, it } from 'vitest'
import { storageSpace } from './outbox'
import { createUnsent } from './unsent'

let clock = 0
const make = (who = '') => createUnsent(storageSpace(window.localStorage, who), () => (clock += 1))
beforeEach(() => window.localStorage.clear())

it('returns any typed text, also to a later page', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), anyText(), (name, text) => {
      make().set(name, text)
      expect(make().get(name)).toBe(text)
      make().set(name, null)
      expect(make().get(name)).toBeNull()
    }),
    { numRuns: 100 },
  )
})

it('keeps the newest, and removes no other rows for them', () => {
  window.localStorage.setItem('nod:draft:new', 'mine')
  const unsent = make()
  for (let index = 0; index < 60; index += 1) unsent.set(`field ${index}`, 'words')
  expect(unsent.get('field 0')).toBeNull()
  expect(unsent.get('field 59')).toBe('words')
  expect(window.localStorage.length).toBe(41)
  expect(window.localStorage.getItem('nod:draft:new')).toBe('mine')
})

it('is separate for each account', () => {
  make('ann').set('edit', 'hers')
  expect(make('bob').get('edit')).toBeNull()
  expect(make().get('edit')).toBeNull()
})

it('does not fail if the browser has no storage', () => {
  const full = {
    ...storageSpace(window.localStorage, 'x'),
    setItem: () => {
      throw new Error('full')
    },
  }
  for (const unsent of [createUnsent(null, () => 0), createUnsent(full, () => 0)]) {
    unsent.set('a', 'b')
    expect(unsent.get('a')).toBeNull()
  }
})

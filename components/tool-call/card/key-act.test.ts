import { describe, expect, it } from 'vitest'
import { cardKey, type CardKey, type KeyPress } from '../scope/card-keys'
import { keyAct, waitOf, type CallWait } from './use-call-keys'

const none = { deny: false, edit: false, reason: false }
const waits: readonly CallWait[] = ['run', 'changes', 'result', 'nothing']
const decisive: readonly CardKey[] = ['run', 'deny', 'edit', 'reason', 'earlier', 'later']

describe('a key on a card', () => {
  it.each([
    ['run', ['run', 'keep-changes', 'send-result', null]],
    ['deny', ['deny', 'discard-changes', 'keep-result', null]],
    ['edit', ['edit', null, null, null]],
    ['reason', ['reason', null, null, null]],
    ['earlier', ['earlier', null, null, null]],
    ['fold', ['fold', 'fold', 'fold', 'fold']],
    ['next', ['next', 'next', 'next', 'next']],
  ] as const)('%s acts on what the call waits for', (key, acts) => {
    expect(waits.map((wait) => keyAct(key, wait, none))).toEqual(acts)
  })

  it('decides nothing on a call that does not wait, except a denial that still counts', () => {
    expect(decisive.map((key) => keyAct(key, 'nothing', none))).toEqual(decisive.map(() => null))
    expect(decisive.map((key) => keyAct(key, 'nothing', { ...none, deny: true }))).toEqual([
      null,
      'deny',
      null,
      'reason',
      null,
      null,
    ])
    expect(keyAct('edit', 'nothing', { ...none, deny: true, edit: true })).toBe('edit')
    expect(decisive.filter((key) => keyAct(key, 'nothing', { ...none, reason: true }) !== null)).toEqual(['reason'])
  })

  it('is left to a field in use, whatever waits', () => {
    const press: KeyPress = {
      key: 'Enter',
      ctrlKey: true,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      isComposing: false,
    }
    expect(cardKey(press, 'card')).toBe('run')
    expect(cardKey(press, 'field')).toBeNull()
  })
})

it('only three states wait for the user', () => {
  expect(waitOf({ status: 'awaiting_approval' })).toBe('run')
  expect(waitOf({ status: 'queued' })).toBe('nothing')
  expect(waitOf({ status: 'executing', here: true, startedAt: 0, attempt: 1 })).toBe('nothing')
})

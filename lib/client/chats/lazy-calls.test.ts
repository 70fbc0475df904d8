import { expect, test, vi } from 'vitest'
import type { CallActions } from './actions'
import { createLazyCalls } from './lazy-calls'

function actionsThatNote(notes: string[]): CallActions {
  const note =
    (name: string) =>
    (...args: readonly unknown[]): void =>
      void notes.push(`${name} ${JSON.stringify(args)}`)
  const answer = (name: string) => async (): Promise<string | null> => {
    notes.push(name)
    return name === 'amend' ? 'Not stored.' : null
  }
  return {
    run: note('run'),
    continueRounds: note('continueRounds'),
    look: note('look'),
    answerReview: note('answerReview'),
    showPictures: note('showPictures'),
    answerQuestion: note('answerQuestion'),
    answerInner: note('answerInner'),
    skip: note('skip'),
    deny: note('deny'),
    explain: answer('explain'),
    holdForReason: (_messageId, slot) => {
      notes.push(`hold ${slot}`)
      return () => void notes.push(`let go ${slot}`)
    },
    stop: note('stop'),
    runAgain: note('runAgain'),
    notifyModel: note('notifyModel'),
    amend: answer('amend'),
    release: answer('release'),
    remember: answer('remember'),
    revokeGrant: answer('revokeGrant'),
    workOnCopy: answer('workOnCopy'),
    allowEffects: answer('allowEffects'),
    endCopy: answer('endCopy'),
    hearOfLook: () => Promise.resolve(false),
    watchRunner(_messageId, slot, onChange) {
      notes.push(`watch ${slot}`)
      onChange(true)
      return () => void notes.push(`unwatch ${slot}`)
    },
  }
}

test('loads once, and actions are sent in the order of the clicks', async () => {
  const notes: string[] = []
  const load = vi.fn<() => Promise<CallActions>>(async () => actionsThatNote(notes))
  const calls = createLazyCalls(load, () => notes.push('failed'))
  expect(load).not.toHaveBeenCalled()
  calls.run('m', [0])
  calls.stop('m', 0)
  expect(await calls.amend('m', 0, 'undo')).toBe('Not stored.')
  calls.deny('m', [1], 'no')
  expect(notes).toEqual(['run ["m",[0]]', 'stop ["m",0]', 'amend', 'deny ["m",[1],"no"]'])
  expect(load).toHaveBeenCalledTimes(1)
})

test('reports a failed load, does nothing, and tries again at the next click', async () => {
  const notes: string[] = []
  let isOnline = false
  const calls = createLazyCalls(
    async () => {
      if (!isOnline) throw new Error('offline')
      return actionsThatNote(notes)
    },
    (sentence) => notes.push(sentence),
  )
  calls.run('m', [0])
  expect(await calls.release('m', 0, { kind: 'sent', note: '' })).toContain('nothing was done')
  expect(notes).toEqual([expect.stringContaining('Check your connection')])
  isOnline = true
  expect(await calls.remember('m', 0, 'tool')).toBeNull()
  expect(notes.at(-1)).toBe('remember')
})

test('starts watching when the code has loaded, and not at all if unsubscribed by then', async () => {
  const notes: string[] = []
  const calls = createLazyCalls(
    async () => actionsThatNote(notes),
    () => {},
  )
  const changes: boolean[] = []
  const unwatch = calls.watchRunner('m', 1, (held) => changes.push(held))
  calls.watchRunner('m', 2, () => {})()
  await calls.revokeGrant('g')
  expect(changes).toEqual([true])
  unwatch()
  expect(notes).toEqual(['watch 1', 'revokeGrant', 'unwatch 1'])
})

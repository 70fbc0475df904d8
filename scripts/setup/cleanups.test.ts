import { expect, test } from 'vitest'
import { createCleanups, withCleanups } from './cleanups.mjs'

test('stops what was started last first, and once', async () => {
  const order: string[] = []
  const cleanups = createCleanups()
  cleanups.add(() => order.push('server'))
  cleanups.add(() => order.push('browser'))
  await Promise.all([cleanups.close(), cleanups.close()])
  expect(order).toEqual(['browser', 'server'])
})

test('a failing script stops what it started, and fails with its own reason', async () => {
  const order: string[] = []
  const work = withCleanups(async (cleanups) => {
    cleanups.add(() => order.push('server'))
    throw new Error('the page did not open')
  })
  await expect(work).rejects.toThrow('the page did not open')
  expect(order).toEqual(['server'])
})

test('a failing step does not prevent the others', async () => {
  const order: string[] = []
  const cleanups = createCleanups()
  cleanups.add(() => order.push('server'))
  cleanups.add(() => {
    throw new Error('the browser is gone already')
  })
  await expect(cleanups.close()).rejects.toThrow('gone already')
  expect(order).toEqual(['server'])
})

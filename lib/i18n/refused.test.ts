import { expect, it } from 'vitest'
import accounts from './en/account.json'
import models from './en/models.json'
import server from './en/server.json'
import { pageTextOfRefusal } from '@/lib/i18n/stored-text'

const served = { ...accounts, ...models, ...server }

it.each(Object.entries(served).filter(([, words]) => !/[{']/.test(words)))(
  'the page has a message for %s',
  async (reason, words) => {
    expect(await pageTextOfRefusal(reason, {})).toBe(words)
  },
)

it('fills in the values of messages that have values', async () => {
  expect(await pageTextOfRefusal('chat.results.rounds', { rounds: 1 })).toBe(
    '1 tool round without a message from you. Continue?',
  )
  expect(await pageTextOfRefusal('store.too-many-calls', { most: 3 })).toMatch(
    /^This chat runs at most 3 calls per reply/,
  )
  expect(await pageTextOfRefusal('models.not-offered', { name: 'x', provider: 'Y' })).toMatch(
    /does not offer the Y model/,
  )
  expect(await pageTextOfRefusal('constructor.name', {})).toBeNull()
})

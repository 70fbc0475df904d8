import { expect, it } from 'vitest'
import { accountWords } from './accounts'
import { chatWords } from './chat'
import { modelWords } from './models'
import { wordsOfRefusal } from './refused'
import { serverWords } from './server'
import { storeWords } from './store'

const served = { ...accountWords, ...chatWords, ...modelWords, ...serverWords, ...storeWords }

it.each(Object.entries(served).filter(([, words]) => typeof words === 'string' && !words.includes('{')))(
  'the page has words for %s',
  async (reason, words) => {
    expect(await wordsOfRefusal(reason, {})).toBe(words)
  },
)

it('and makes those with values of the values', async () => {
  expect(await wordsOfRefusal('chat.results.rounds', { rounds: 1 })).toBe(
    'One round of tools without a word from you. Continue?',
  )
  expect(await wordsOfRefusal('store.too-many-calls', { most: 3 })).toMatch(/^3 calls of one reply may run/)
  expect(await wordsOfRefusal('models.not-offered', { name: 'x', provider: 'Y' })).toMatch(/^x is not among/)
  expect(await wordsOfRefusal('constructor.name', {})).toBeNull()
})

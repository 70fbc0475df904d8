import { describe, expect, it } from 'vitest'
import { maxPresetChars, maxPresets, type PresetToAdd } from '@/lib/shared/conversation/settings/preset'
import type { StoreUnderTest } from './store.contract'
import { testConversation, testSettings } from '../testing/rows'
import { underTest } from '../testing/under-test'

const setup = { ...testSettings, model: null, systemPrompt: 'Be brief. \u0000 简短' }
const preset = (id: string, over: Partial<PresetToAdd> = {}): PresetToAdd => ({
  id,
  name: `name of ${id}`,
  setup,
  ...over,
})

/** The contract of every store for presets and the defaults of new chats. */
export function presetsContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of presets: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)
    const newOwner = () => `maker-${next()}`
    const names = async (owner: string) => (await elsewhere.listPresets(owner)).map(({ name }) => name)

    it('keeps presets in order, for their owner only, and each id once', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      await store.addPreset(owner, preset('a'))
      await store.addPreset(owner, preset('b'))
      expect(await store.addPreset(owner, preset('a', { name: 'again' }))).toMatchObject({ name: 'name of a' })
      await store.addPreset(other, preset('a', { name: 'of another' }))
      expect(await elsewhere.listPresets(owner)).toEqual([
        { id: 'a', name: 'name of a', setup, position: 1 },
        { id: 'b', name: 'name of b', setup, position: 2 },
      ])
      expect(await store.changePreset(other, 'b', { name: 'mine' })).toBeNull()
      await store.removePreset(other, 'b')
      expect(await store.orderPresets(owner, ['b', 'nobody'])).toMatchObject([{ id: 'b' }, { id: 'a' }])
      expect(await store.changePreset(owner, 'a', { name: 'new' })).toMatchObject({ name: 'new', setup })
      expect(await names(owner)).toEqual(['name of b', 'new'])
      expect(await names(other)).toEqual(['of another'])
    })

    it('keeps a prompt with a setup, without one, and when either is changed', async () => {
      const owner = newOwner()
      await store.addPreset(owner, preset('both', { prompt: 'Sum up {{text}} 总结' }))
      await store.addPreset(owner, preset('words', { setup: null, prompt: 'one' }))
      await store.changePreset(owner, 'both', { name: 'new' })
      await store.changePreset(owner, 'words', { prompt: 'two' })
      expect(await elsewhere.listPresets(owner)).toEqual([
        { id: 'both', name: 'new', setup, prompt: 'Sum up {{text}} 总结', position: 1 },
        { id: 'words', name: 'name of words', setup: null, prompt: 'two', position: 2 },
      ])
    })

    it('restores a deleted one to its position', async () => {
      const owner = newOwner()
      for (const id of ['a', 'b', 'c']) await store.addPreset(owner, preset(id))
      await store.removePreset(owner, 'b')
      expect(await names(owner)).toEqual(['name of a', 'name of c'])
      await store.addPreset(owner, preset('b', { position: 2 }))
      expect(await names(owner)).toEqual(['name of a', 'name of b', 'name of c'])
    })

    it('refuses more than allowed, and keeps the existing ones', async () => {
      const owner = newOwner()
      const long = { ...setup, systemPrompt: 'x'.repeat(100_000) }
      const fit = Math.floor(maxPresetChars / 101_000)
      for (let n = 0; n < fit; n += 1) await store.addPreset(owner, preset(`long-${n}`, { setup: long }))
      const tooLong = store.addPreset(owner, preset('longer', { setup: long }))
      await expect(tooLong).rejects.toMatchObject({ reason: 'store.presets-too-long' })
      expect(await names(owner)).toHaveLength(fit)
      const many = newOwner()
      for (let n = 0; n < maxPresets; n += 1) await store.addPreset(many, preset(`p${n}`))
      await expect(store.addPreset(many, preset('one-more'))).rejects.toMatchObject({
        reason: 'store.too-many-presets',
      })
    })

    it('keeps the defaults of new chats, and clears them on request', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      expect(await store.loadDefaults(owner)).toBeNull()
      await store.saveDefaults(owner, setup)
      await store.saveDefaults(owner, { ...setup, model: 'demo/demo' })
      expect(await elsewhere.loadDefaults(owner)).toEqual({ ...setup, model: 'demo/demo' })
      expect(await store.loadDefaults(other)).toBeNull()
      await store.saveDefaults(owner, null)
      expect(await elsewhere.loadDefaults(owner)).toBeNull()
    })

    it('deletes them with all data of the owner, and counts them as part of it', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      for (const one of [owner, other]) {
        await store.createConversation(one, testConversation(`chat-of-${one}`))
        await store.addPreset(one, preset('a'))
        await store.saveDefaults(one, setup)
      }
      expect((await store.ownerData(owner)).presets).toBe(1)
      await store.eraseOwner(owner)
      while ((await store.purgeErased(10)) > 0);
      expect([await names(owner), await store.loadDefaults(owner)]).toEqual([[], null])
      expect([await names(other), await store.loadDefaults(other)]).toEqual([['name of a'], setup])
    })

    it('moves them to an account, which keeps its existing ones', async () => {
      const [browser, account] = [newOwner(), newOwner()]
      await store.addPreset(browser, preset('both', { name: 'the browser’s' }))
      await store.addPreset(browser, preset('new'))
      await store.saveDefaults(browser, setup)
      await store.addPreset(account, preset('both', { name: 'the account’s' }))
      await store.accounts.recordMove(browser, account, 1)
      await store.accounts.moveChats(1, browser)
      expect((await names(account)).toSorted()).toEqual(['name of new', 'the account’s'])
      expect(await store.loadDefaults(account)).toEqual(setup)
      await store.saveDefaults(browser, { ...setup, systemPrompt: 'late' })
      await store.accounts.moveChats(1, browser)
      expect(await store.loadDefaults(account)).toEqual(setup)
    })
  })
}

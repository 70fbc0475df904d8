import { describe, expect, it } from 'vitest'
import {
  memoryTool,
  maxEarlierMemories,
  maxProjects,
  type ProjectToAdd,
} from '@/lib/shared/conversation/settings/project'
import type { StoreUnderTest } from './store.contract'
import { AWKWARD, testConversation, testSettings } from '../testing/rows'
import { underTest } from '../testing/under-test'

const setup = { ...testSettings, model: null, systemPrompt: 'Be brief.' }
const project = (id: string, over: Partial<ProjectToAdd> = {}): ProjectToAdd => ({
  id,
  name: `Project ${id}`,
  instructions: '',
  setup: null,
  ...over,
})
const writing = { now: 1_000, maxBytes: null }

/** The contract of every store for projects and memories. */
export function projectsContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of projects: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)
    const newOwner = () => `folder-${next()}`
    const beginChat = (owner: string, id: string, over: Parameters<typeof testConversation>[1] = {}) =>
      store.createConversation(owner, testConversation(id, over))
    const listed = async (owner: string, filter: object = {}) =>
      (await elsewhere.listConversations(owner, '', 50, undefined, filter)).map(({ id }) => id)

    it('keeps projects by name, for their owner only, and each id once', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      await store.addProject(owner, project('b', { name: ' Second\n', instructions: AWKWARD, setup }), writing)
      await store.addProject(owner, project('a', { name: 'First' }), writing)
      expect(await store.addProject(owner, project('a', { name: 'again' }), writing)).toMatchObject({ name: 'First' })
      await store.addProject(other, project('a', { name: 'of another' }), writing)
      const [first, second] = await elsewhere.listProjects(owner)
      expect(first).toEqual({ id: 'a', name: 'First', instructions: '', setup: null, chats: 0 })
      expect(second).toMatchObject({ id: 'b', name: 'Second', setup, chats: 0 })
      expect(JSON.stringify(second?.instructions)).toBe(JSON.stringify(AWKWARD))
      expect(await store.changeProject(other, 'b', { name: 'mine' }, writing)).toBeNull()
      await store.removeProject(other, 'b')
      expect(await store.changeProject(owner, 'b', { name: 'Third' }, writing)).toMatchObject({ name: 'Third', setup })
      expect((await elsewhere.listProjects(owner)).map(({ name }) => name)).toEqual(['First', 'Third'])
    })

    it('refuses more projects than allowed, also for two concurrent requests', async () => {
      const owner = newOwner()
      for (let at = 1; at < maxProjects; at += 1) await store.addProject(owner, project(`p-${at}`), writing)
      const both = await Promise.allSettled([
        store.addProject(owner, project('one'), writing),
        elsewhere.addProject(owner, project('two'), writing),
      ])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await store.listProjects(owner)).toHaveLength(maxProjects)
    })

    it('moves chats in and out, lists them by project, and counts them', async () => {
      const owner = newOwner()
      await store.addProject(owner, project('p'), writing)
      await beginChat(owner, 'inside', { project: 'p', updatedAt: 2_000 })
      await beginChat(owner, 'outside')
      expect(await listed(owner, { project: 'p' })).toEqual(['inside'])
      expect(await store.sortConversations(owner, ['outside', 'inside'], { project: 'p' }, 3_000)).toHaveLength(2)
      expect(await listed(owner, { project: 'p' })).toEqual(['inside', 'outside'])
      expect((await elsewhere.listConversations(owner, '', 50)).map((row) => row.project)).toEqual(['p', 'p'])
      expect(await elsewhere.listProjects(owner)).toMatchObject([{ chats: 2 }])
      await store.sortConversations(owner, ['inside'], { project: null }, 3_000)
      await store.sortConversations(owner, ['outside'], { deleted: true }, 3_000)
      expect(await elsewhere.listProjects(owner)).toMatchObject([{ chats: 0 }])
      expect((await elsewhere.summariseConversation(owner, 'inside'))?.project).toBeUndefined()
      await expect(store.sortConversations(owner, ['inside'], { project: 'none' }, 3_000)).rejects.toMatchObject({
        code: 'not-found',
      })
    })

    it('deletes a project without its chats, which are in it again after a restore', async () => {
      const owner = newOwner()
      await store.addProject(owner, project('p', { instructions: 'Be kind.', memory: 'Note.' }), writing)
      await beginChat(owner, 'chat', { project: 'p' })
      expect(await elsewhere.promptContext(owner, 'chat')).toEqual({
        project: { id: 'p', name: 'Project p', instructions: 'Be kind.' },
        memory: { user: '', project: 'Note.' },
      })
      await store.removeProject(owner, 'p')
      expect(await listed(owner)).toEqual(['chat'])
      expect((await elsewhere.summariseConversation(owner, 'chat'))?.project).toBeUndefined()
      expect(await elsewhere.promptContext(owner, 'chat')).toBeNull()
      expect(await elsewhere.loadMemory(owner, 'p')).toBeNull()
      await store.addProject(owner, project('p', { memory: 'Note.' }), writing)
      expect((await elsewhere.summariseConversation(owner, 'chat'))?.project).toBe('p')
      expect(await elsewhere.loadMemory(owner, 'p')).toEqual({ text: 'Note.', version: 1, earlier: [] })
    })

    it('changes a memory only from the version that was read, and keeps earlier texts', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      expect(await store.loadMemory(owner, null)).toEqual({ text: '', version: 0, earlier: [] })
      await store.changeMemory(owner, null, { text: AWKWARD, version: 0 }, writing)
      const both = await Promise.allSettled([
        store.changeMemory(owner, null, { text: 'one', version: 1 }, writing),
        elsewhere.changeMemory(owner, null, { text: 'two', version: 1 }, writing),
      ])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const now = await elsewhere.loadMemory(owner, null)
      expect(now).toMatchObject({ version: 2, earlier: [{ at: 1_000 }] })
      expect(JSON.stringify(now?.earlier[0]?.text)).toBe(JSON.stringify(AWKWARD))
      // The same text again counts as the same request.
      expect(await store.changeMemory(owner, null, { text: now?.text ?? '', version: 1 }, writing)).toEqual(now)
      for (let version = 2; version < maxEarlierMemories + 5; version += 1) {
        await store.changeMemory(owner, null, { text: `text ${version}`, version }, writing)
      }
      expect((await store.loadMemory(owner, null))?.earlier).toHaveLength(maxEarlierMemories)
      expect(await elsewhere.loadMemory(other, null)).toEqual({ text: '', version: 0, earlier: [] })
      expect(await store.changeMemory(owner, 'none', { text: 'x', version: 0 }, writing)).toBeNull()
    })

    it('adds the project and memories to a chat’s prompt, and none of them to a temporary chat’s', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      await store.addProject(owner, project('p', { instructions: 'Be kind.' }), writing)
      await store.changeMemory(owner, null, { text: 'Mine.', version: 0 }, writing)
      await store.changeMemory(owner, 'p', { text: 'Ours.', version: 0 }, writing)
      await beginChat(owner, 'plain')
      await beginChat(owner, 'inside', { project: 'p' })
      await store.createConversation(owner, testConversation('brief', { project: 'p' }), null, {
        temporaryUntil: 9_000,
      })
      expect(await elsewhere.promptContext(owner, 'plain')).toEqual({ memory: { user: 'Mine.', project: '' } })
      const inside = {
        project: { id: 'p', name: 'Project p', instructions: 'Be kind.' },
        memory: { user: 'Mine.', project: 'Ours.' },
      }
      expect(await elsewhere.promptContext(owner, 'inside')).toEqual(inside)
      expect((await elsewhere.loadBranch(owner, 'inside', { head: null }))?.context).toEqual(inside)
      expect(await elsewhere.promptContext(owner, 'brief')).toBeNull()
      expect((await elsewhere.loadConversation(owner, 'brief'))?.context).toBeUndefined()
      const tools = { ...testSettings.tools, toolToggles: { [memoryTool]: true } }
      await beginChat(owner, 'using', { settings: { ...testSettings, tools } })
      expect((await elsewhere.loadBranch(owner, 'using', { head: null }))?.context).toEqual({
        memory: { user: 'Mine.', project: '' },
      })
      expect((await elsewhere.loadBranch(owner, 'plain', { head: null }))?.context).toBeUndefined()
      await store.createConversation(other, testConversation('plain', { project: 'p' }))
      expect(await elsewhere.promptContext(other, 'plain')).toBeNull()
    })

    it('counts projects and memories towards an owner’s storage limit', async () => {
      const owner = newOwner()
      const full = { now: 1_000, maxBytes: 1_000 }
      await store.addProject(owner, project('p', { instructions: 'x'.repeat(2_000) }), writing)
      await expect(store.addProject(owner, project('q'), full)).rejects.toMatchObject({ code: 'storage-full' })
      await expect(store.changeMemory(owner, null, { text: 'y', version: 0 }, full)).rejects.toMatchObject({
        code: 'storage-full',
      })
      expect(await store.changeProject(owner, 'p', { instructions: '' }, full)).toMatchObject({ instructions: '' })
    })
  })
}

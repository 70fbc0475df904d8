import { describe, expect, it } from 'vitest'
import {
  toolServerLimits as limits,
  type McpTool,
  type ToolServerToSave,
} from '@/lib/shared/conversation/settings/tool-server'
import type { Grant } from '@/lib/shared/conversation/call-record'
import { setHash, setText } from '@/lib/shared/mcp/compare-tools'
import type { StoreUnderTest } from '@/lib/server/store/ports/store.contract'
import { testConversation, testSettings, testTool } from '@/lib/server/store/testing/rows'
import { underTest } from '@/lib/server/store/testing/under-test'

const tool = (name: string, over: Partial<McpTool> = {}): McpTool => ({
  name,
  description: 'NUL \0, a lone \ud800 and 北京',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  annotations: { readOnlyHint: true },
  ...over,
})
const server = (prefix: string, over: Partial<ToolServerToSave> = {}): Omit<ToolServerToSave, 'tools'> => ({
  url: `https://${prefix}.example.com/mcp`,
  name: `The ${prefix}`,
  prefix,
  isOn: true,
  era: { kind: 'modern', version: '2026-07-28', at: 5 },
  declined: [],
  ...over,
})
const setOf = async (...tools: readonly McpTool[]) => ({ hash: await setHash(tools), text: setText(tools) })
const grantFor = (name: string): Grant => ({
  id: `of-${name}`,
  scope: { kind: 'tool', tool: name },
  createdAt: 1,
  uses: 0,
  lastUsedAt: null,
  revokedAt: null,
})
const space = { maxBytes: null, now: 5 }

/** The contract of every store for tool servers, and for the tool sets that chats use of them. */
export function toolServersContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of tool servers: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)
    const newOwner = () => `owner-${next()}`
    const chatOf = async (owner: string, settings = testSettings) => {
      const id = `chat-${next()}`
      await store.createConversation(owner, { ...testConversation(id), settings })
      return id
    }
    const toolsOf = async (owner: string, id: string) => (await elsewhere.loadConversation(owner, id))?.tools ?? []
    const names = async (owner: string, id: string) => (await toolsOf(owner, id)).map(({ name }) => name)

    it('keeps servers for their owner only, in the order in which they were added', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      await store.saveToolServer(owner, 'b', server('maps'), null, { maxBytes: null, now: 1 })
      await store.saveToolServer(owner, 'a', server('files'), null, { maxBytes: null, now: 2 })
      await store.saveToolServer(other, 'b', server('others'), null, space)
      expect(await elsewhere.listToolServers(owner)).toEqual([
        { id: 'b', ...server('maps'), approvedHash: null },
        { id: 'a', ...server('files'), approvedHash: null },
      ])
      await store.removeToolServer(other, 'a')
      await store.removeToolServer(owner, 'b')
      await store.removeToolServer(owner, 'b')
      expect((await elsewhere.listToolServers(owner)).map(({ id }) => id)).toEqual(['a'])
      expect(await elsewhere.listToolServers(other)).toHaveLength(1)
    })

    it('keeps the approved tools if only the server changes, and its first prefix', async () => {
      const owner = newOwner()
      const set = await setOf(tool('read'))
      await store.saveToolServer(owner, 'a', server('files'), set, space)
      const changed = await store.saveToolServer(owner, 'a', server('other', { isOn: false }), null, space)
      expect(changed).toMatchObject({ prefix: 'files', isOn: false, approvedHash: set.hash })
      expect(await elsewhere.loadToolSet(owner, set.hash)).toEqual([tool('read')])
      expect(await elsewhere.loadToolSet(newOwner(), set.hash)).toBeNull()
    })

    it('adds the tools of its servers to a chat’s own, by name', async () => {
      const owner = newOwner()
      const id = await chatOf(owner)
      await store.registerTool(owner, id, testTool('own'), 1)
      const set = await setOf(tool('read.file'), tool('write'))
      await store.saveToolServer(owner, 's', server('fs'), set, space)
      const used = await store.useToolServers(owner, id, ['s', 'nobody'], 6)
      expect(used.toolSets).toEqual([{ server: 's', host: 'fs.example.com', prefix: 'fs', hash: set.hash }])
      expect(await names(owner, id)).toEqual(['fs_read_file', 'fs_write', 'own'])
      expect((await toolsOf(owner, id))[0]).toMatchObject({
        permission: 'moderate',
        description: tool('').description,
        remote: { server: 's', host: 'fs.example.com', name: 'read.file' },
      })
      expect(await names(owner, await chatOf(owner))).toEqual([])
      expect(await store.loadLog(owner, id)).toMatchObject([
        { event: 'tool-registered' },
        { event: 'tool-set-used', at: 6, detail: { host: 'fs.example.com', count: 2 } },
      ])
      // The same request again writes nothing.
      await store.useToolServers(owner, id, ['s'], 7)
      expect(await store.loadLog(owner, id)).toHaveLength(2)
    })

    it('uses no server that is off, not approved, or of another owner', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      const id = await chatOf(owner)
      const set = await setOf(tool('read'))
      await store.saveToolServer(owner, 'off', server('off', { isOn: false }), set, space)
      await store.saveToolServer(owner, 'new', server('new'), null, space)
      await store.saveToolServer(other, 'theirs', server('theirs'), set, space)
      expect(await store.useToolServers(owner, id, ['off', 'new', 'theirs'], 6)).toEqual({ tools: [], toolSets: [] })
      await expect(store.useToolServers(other, id, ['theirs'], 6)).rejects.toMatchObject({ code: 'not-found' })
    })

    it('ends grants and rules of changed tools, and keeps those of the others', async () => {
      const owner = newOwner()
      const rule = { execution: 'never' } as const
      const toolRules = { fs_read: rule, fs_list: rule }
      const id = await chatOf(owner, { ...testSettings, tools: { ...testSettings.tools, toolRules } })
      await store.saveToolServer(owner, 's', server('fs'), await setOf(tool('read'), tool('list')), space)
      await store.useToolServers(owner, id, ['s'], 6)
      for (const name of ['fs_read', 'fs_list']) {
        await store.giveGrant(owner, id, grantFor(name))
      }
      await store.saveToolServer(
        owner,
        's',
        server('fs'),
        await setOf(tool('read', { title: 'x' }), tool('list')),
        space,
      )
      await store.useToolServers(owner, id, ['s'], 7)
      const stored = await elsewhere.loadConversation(owner, id)
      expect(stored?.conversation.settings.tools.toolRules).toEqual({ fs_list: rule })
      expect(stored?.grants.map(({ id: grant, revokedAt }) => [grant, revokedAt])).toEqual([
        ['of-fs_list', null],
        ['of-fs_read', 7],
      ])
    })

    it('keeps a set while a chat or a server uses it', async () => {
      const owner = newOwner()
      const id = await chatOf(owner)
      const [first, second] = [await setOf(tool('read')), await setOf(tool('write'))]
      await store.saveToolServer(owner, 's', server('fs'), first, space)
      await store.useToolServers(owner, id, ['s'], 6)
      await store.saveToolServer(owner, 's', server('fs'), second, space)
      expect(await names(owner, id)).toEqual(['fs_read'])
      await store.removeToolServer(owner, 's')
      // Old calls are still read with it.
      expect(await names(owner, id)).toEqual(['fs_read'])
      expect(await elsewhere.loadToolSet(owner, second.hash)).toBeNull()
      await store.deleteConversation(owner, id)
      await store.saveToolServer(owner, 't', server('other'), null, space)
      expect(await elsewhere.loadToolSet(owner, first.hash)).toBeNull()
    })

    it('refuses a prefix that is in use and more servers than allowed', async () => {
      const owner = newOwner()
      await store.saveToolServer(owner, 'a', server('fs'), null, space)
      await expect(store.saveToolServer(owner, 'b', server('fs'), null, space)).rejects.toMatchObject({
        code: 'conflict',
      })
      for (let count = 1; count < limits.maxServers; count += 1) {
        await store.saveToolServer(owner, `s${count}`, server(`s${count}`), null, space)
      }
      await expect(store.saveToolServer(owner, 'z', server('z'), null, space)).rejects.toMatchObject({
        code: 'conflict',
      })
      expect(await elsewhere.listToolServers(owner)).toHaveLength(limits.maxServers)
    })

    it('counts them towards an owner’s storage limit, and deletes them with the owner', async () => {
      const owner = newOwner()
      const before = (await store.ownerData(owner)).bytes
      const set = await setOf(tool('read'))
      await store.saveToolServer(owner, 's', server('fs'), set, space)
      expect((await store.ownerData(owner)).bytes - before).toBeGreaterThan(set.text.length)
      await expect(store.saveToolServer(owner, 't', server('t'), set, { maxBytes: 1, now: 6 })).rejects.toMatchObject({
        code: 'storage-full',
      })
      await store.eraseOwner(owner)
      expect(await elsewhere.listToolServers(owner)).toEqual([])
      expect(await elsewhere.loadToolSet(owner, set.hash)).toBeNull()
    })

    it('moves them with chats to an account', async () => {
      const [owner, account] = [newOwner(), newOwner()]
      const id = await chatOf(owner)
      await store.saveToolServer(owner, 's', server('fs'), await setOf(tool('read')), space)
      await store.useToolServers(owner, id, ['s'], 6)
      await store.accounts.recordMove(owner, account, 10)
      await store.accounts.moveChats(20, owner)
      expect(await names(account, id)).toEqual(['fs_read'])
      expect(await elsewhere.listToolServers(account)).toHaveLength(1)
      expect(await elsewhere.listToolServers(owner)).toEqual([])
    })
  })
}

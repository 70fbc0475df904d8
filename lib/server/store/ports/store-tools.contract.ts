import { describe, expect, it } from 'vitest'
import { registeredToolLimits as limits } from '@/lib/shared/conversation/settings/registered-tool'
import type { StoreUnderTest } from './store.contract'
import {
  asRequested,
  finishedEnding,
  runOf,
  testCall,
  testConversation,
  testOutcome,
  testPlan,
  testReply,
  testSettings,
  testTool,
} from '../testing/rows'
import { underTest } from '../testing/under-test'

/** The contract of every store for a conversation's own tools. */
export function toolsContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of a conversation’s tools: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)

    const fresh = async () => {
      const id = `tools-${next()}`
      await store.createConversation('ada', testConversation(id))
      return id
    }
    const toolsOf = async (id: string, from = store) => (await from.loadConversation('ada', id))?.tools
    const logOf = async (id: string) => (await store.loadLog('ada', id)) ?? []

    it('starts with none, then returns those that were added, by name, on every node', async () => {
      const id = await fresh()
      expect(await toolsOf(id)).toEqual([])
      const odd = testTool('zeta', {
        description: 'NUL \0, a lone \ud800 and 北京',
        parameters: { type: 'object', $comment: '\0' },
      })
      expect(await store.registerTool('ada', id, odd, 5)).toEqual([odd])
      expect(await elsewhere.registerTool('ada', id, testTool('Alpha'), 6)).toEqual([testTool('Alpha'), odd])
      expect(await toolsOf(id)).toEqual([testTool('Alpha'), odd])
      expect(await toolsOf(id, elsewhere)).toEqual(await toolsOf(id))
      expect(await toolsOf(await fresh())).toEqual([])
    })

    it('writes nothing for the same tool, replaces a different one, and logs both', async () => {
      const id = await fresh()
      const [first, second] = [testTool('ask'), testTool('ask', { permission: 'sensitive' })]
      await store.registerTool('ada', id, first, 5)
      await store.registerTool('ada', id, first, 6)
      expect(await store.registerTool('ada', id, second, 7)).toEqual([second])
      expect(await toolsOf(id)).toEqual([second])
      expect(await logOf(id)).toMatchObject([
        {
          seq: 1,
          at: 5,
          event: 'tool-registered',
          tool: 'ask',
          detail: { before: null, tool: { permission: 'moderate' } },
        },
        { seq: 2, at: 7, detail: { before: { permission: 'moderate' }, tool: { permission: 'sensitive' } } },
      ])
    })

    it('gives a different tool none of the grants and rules of the old one with its name', async () => {
      const id = await fresh()
      await store.registerTool('ada', id, testTool('ask'), 5)
      await store.registerTool('ada', id, testTool('tell'), 5)
      const rule = { execution: 'never', result: 'always' } as const
      const settings = { ...testSettings, tools: { ...testSettings.tools, toolRules: { ask: rule, tell: rule } } }
      await store.updateConversation('ada', id, { settings }, 6)
      const given = { createdAt: 7, uses: 0, lastUsedAt: null, revokedAt: null }
      for (const tool of ['ask', 'tell']) {
        await store.giveGrant('ada', id, { ...given, id: `all-${tool}`, scope: { kind: 'tool', tool } })
      }
      const standing = async () => {
        const stored = await elsewhere.loadConversation('ada', id)
        const grants = stored?.grants
          .filter(({ revokedAt }) => revokedAt === null)
          .map(({ scope }) => ('tool' in scope ? scope.tool : null))
        return { grants, rules: Object.keys(stored?.conversation.settings.tools.toolRules ?? {}) }
      }
      await store.registerTool('ada', id, testTool('ask'), 8)
      expect(await standing()).toEqual({ grants: ['ask', 'tell'], rules: ['ask', 'tell'] })
      await store.registerTool('ada', id, testTool('ask', { description: 'Does more.' }), 9)
      expect(await standing()).toEqual({ grants: ['tell'], rules: ['tell'] })
      expect((await logOf(id)).slice(-3).map(({ event, tool, at }) => [event, tool, at])).toEqual([
        ['tool-registered', 'ask', 9],
        ['grant-revoked', 'ask', 9],
        ['settings-changed', null, 9],
      ])
    })

    it('removes a tool on every node, with its rules, grants and bytes, and logs it', async () => {
      const id = await fresh()
      await store.registerTool('ada', id, testTool('ask'), 5)
      await store.registerTool('ada', id, testTool('tell'), 5)
      const rule = { execution: 'never', result: 'always' } as const
      const settings = { ...testSettings, tools: { ...testSettings.tools, toolRules: { ask: rule, tell: rule } } }
      await store.updateConversation('ada', id, { settings }, 6)
      const given = { createdAt: 7, uses: 0, lastUsedAt: null, revokedAt: null }
      await store.giveGrant('ada', id, { ...given, id: 'all-ask', scope: { kind: 'tool', tool: 'ask' } })
      expect(await store.removeTool('ada', id, 'ask', 8)).toEqual([testTool('tell')])
      expect(await toolsOf(id, elsewhere)).toEqual([testTool('tell')])
      const stored = await elsewhere.loadConversation('ada', id)
      expect(Object.keys(stored?.conversation.settings.tools.toolRules ?? {})).toEqual(['tell'])
      expect(stored?.grants.map(({ revokedAt }) => revokedAt)).toEqual([8])
      expect((await logOf(id)).slice(-3).map(({ event, tool, at }) => [event, tool, at])).toEqual([
        ['tool-removed', 'ask', 8],
        ['grant-revoked', 'ask', 8],
        ['settings-changed', null, 8],
      ])
      // Removing it again is not an error and writes nothing.
      const entries = (await logOf(id)).length
      expect(await store.removeTool('ada', id, 'ask', 9)).toEqual([testTool('tell')])
      expect((await logOf(id)).length).toBe(entries)
      await expect(store.removeTool('eve', id, 'tell', 9)).rejects.toMatchObject({ code: 'not-found' })
      expect(await toolsOf(id)).toEqual([testTool('tell')])
    })

    it('shows them to no other owner, who can’t add any either', async () => {
      const id = await fresh()
      await expect(store.registerTool('eve', id, testTool('ask'), 5)).rejects.toMatchObject({ code: 'not-found' })
      await expect(store.registerTool('ada', 'nowhere', testTool('ask'), 5)).rejects.toMatchObject({
        code: 'not-found',
      })
      expect([await toolsOf(id), await logOf(id)]).toEqual([[], []])
    })

    it('refuses a name that models could mistake for another tool’s, and names that one', async () => {
      const id = await fresh()
      await store.registerTool('ada', id, testTool('ask_wiki'), 5)
      for (const name of ['askWiki', 'ask-wiki', 'ASK_WIKI']) {
        await expect(store.registerTool('ada', id, testTool(name), 6)).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining('ask_wiki'),
        })
      }
      expect(await toolsOf(id)).toEqual([testTool('ask_wiki')])
    })

    it('refuses too many or too long ones, while existing ones can still be changed', async () => {
      const id = await fresh()
      for (let n = 0; n < limits.maxTools; n++) await store.registerTool('ada', id, testTool(`tool${n}`), 5)
      await expect(store.registerTool('ada', id, testTool('more'), 6)).rejects.toMatchObject({ code: 'conflict' })
      expect(await store.registerTool('ada', id, testTool('tool3', { files: 'read' }), 7)).toHaveLength(limits.maxTools)
      const other = await fresh()
      const long = { parameters: { type: 'object', $comment: 'x'.repeat(limits.maxParametersChars - 1_000) } }
      const fitting = Math.floor(limits.maxTotalChars / limits.maxParametersChars)
      for (let n = 0; n < fitting; n++) await store.registerTool('ada', other, testTool(`tool${n}`, long), 8)
      await expect(store.registerTool('ada', other, testTool('more', long), 8)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('Shorten more'),
      })
      expect(await toolsOf(other)).toHaveLength(fitting)
    })

    it('stores both of two that are added on two nodes at once, and one name once', async () => {
      const id = await fresh()
      const twice = [testTool('ask'), testTool('ask', { files: 'read' }), testTool('tell')]
      await Promise.all(twice.map((tool, n) => (n % 2 ? elsewhere : store).registerTool('ada', id, tool, n)))
      expect((await toolsOf(id))?.map(({ name }) => name)).toEqual(['ask', 'tell'])
      expect((await logOf(id)).map(({ seq }) => seq)).toEqual([1, 2, 3])
    })

    it('passes them to the check whether a result waits for review', async () => {
      const id = await fresh()
      await store.registerTool('ada', id, testTool('ask'), 1)
      const answer = await store.append('ada', id, 'r1', testPlan(id, 1), 2)
      await store.endRun(runOf('ada', answer.reply), finishedEnding(), 3)
      const reply = testReply(id, answer.reply.id, 'u1')
      const call = testCall(reply.id, 0, { runnerId: 'tab', attempt: 1 })
      await store.decideCall('ada', id, call, asRequested)
      const seen: unknown[] = []
      const key = { messageId: reply.id, slot: 0, attempt: 1, runnerId: 'tab' }
      await store.finishCall('ada', id, key, testOutcome(), (_call, _settings, tools) => seen.push(tools) === 0, 4)
      expect(seen).toEqual([[testTool('ask')]])
    })

    it('deletes them with their conversation', async () => {
      const id = await fresh()
      await store.registerTool('ada', id, testTool('ask'), 1)
      expect(await store.deleteConversation('ada', id)).toBe(true)
      await store.createConversation('ada', testConversation(id))
      expect(await toolsOf(id)).toEqual([])
    })
  })
}

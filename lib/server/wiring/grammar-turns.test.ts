import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsOf } from '@/lib/shared/calls/message-calls'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createGrammarModel } from '@/lib/shared/models/testing/grammar-model'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { grammarOf } from '@/lib/protocols/grammar-of'
import { createRandom } from '@/lib/protocols/grammar/grammar'
import type { Walked } from '@/lib/protocols/testing/walk-grammar'
import { strategies } from '@/lib/protocols/registry'
import { formOf } from '@/lib/protocols/types/tool-context-def'
import { testTools } from '@/lib/protocols/testing/tools'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'

/*
 * Complete turns with a model that writes any text that a strategy's grammar allows: requested, streamed in pieces,
 * stored, and read into cards like the server and the page do.
 */

let store: Store
beforeAll(async () => {
  store = await openTestStore({ decodeSettings, now: () => 1_000_000 })
})
afterAll(() => store.close())

const TURNS = 12
const bound = strategies.flatMap(({ id }) => {
  const grammar = grammarOf(id, testTools)
  return grammar ? [{ id, grammar }] : []
})

describe.each(bound)('a turn in $id', ({ id, grammar }) => {
  it('has the cards that the model meant, all of them runnable', async () => {
    const said: Walked[] = []
    const model = createGrammarModel(grammar.reply, { random: createRandom(17), said: (reply) => said.push(reply) })
    const chat = createChatHarness(store, {
      builder: toolContextBuilder,
      discoverTools: () => testTools,
      models: {
        list: () => Promise.resolve({ models: [], defaultModel: 'test/grammar', problems: [] }),
        languageModel: () => model,
        info: (name) => ({ id: name, label: 'Grammar', providerLabel: 'Test', contextTokens: null, simulated: true }),
        seesImages: () => Promise.resolve(false),
        windowTokens: () => Promise.resolve(null),
      },
    })
    let cards = 0
    for (let turn = 0; turn < TURNS; turn++) {
      const conversation = await chat.newChat({ model: 'test/grammar', strategy: id })
      const { replyId } = await chat.send(conversation, 'go')
      const reply = await chat.reply(conversation, replyId)
      const meant = said.at(-1)
      expect(reply.text).toBe(meant?.text)
      const found = callsOf(reply, [], {
        parse: (message) => toolContextBuilder.parseResponse(formOf(message), message.text, testTools),
        readCall: (call) => toolContextBuilder.readCall(call, testTools),
      })
      const isMeant = found.map(({ call: { name, arguments: args } }) => ({ name, arguments: args }))
      expect([reply.text, isMeant]).toEqual([reply.text, meant?.calls])
      for (const { call, runnable } of found)
        expect([call.problem?.code, runnable]).toEqual(runnable ? [undefined, true] : ['duplicate', false])
      cards += found.length
    }
    expect(said.length).toBe(TURNS)
    expect(cards).toBeGreaterThan(0)
    expect(chat.problems).toEqual([])
  })
})

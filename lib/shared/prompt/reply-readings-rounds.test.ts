import { afterAll, beforeAll, expect, it } from 'vitest'
import { callHash } from '@/lib/shared/calls/call-hash'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { lineBuilder } from '@/lib/server/chats/testing/line-strategy'

let store: Store
beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())

/** A chat in which the model calls a tool again and again; `parsed` is every text that was parsed. */
async function chatOfRounds(rounds: number) {
  const parsed: string[] = []
  const builder = {
    ...lineBuilder,
    parseResponse(...args: Parameters<typeof lineBuilder.parseResponse>) {
      parsed.push(args[1])
      return lineBuilder.parseResponse(...args)
    },
  }
  const chat = createChatHarness(store, { builder })
  const id = await chat.newChat()
  let [text, n] = ['', 0]
  const next = () => {
    text = `Round ${++n}\nCALL read_file {"path":"/a","round":${n}}`
    chat.script([{ text }, { finish: 'stop' }])
  }
  next()
  let { replyId } = await chat.send(id, 'go')
  const goOn = async () => {
    await chat.decide(id, await decisionOn(replyId))
    await chat.finish(id, replyId, 0, `result ${n}`)
    next()
    const append = { kind: 'tool-results', id: `r${n}`, parentId: replyId, continueRounds: true } as const
    const sent = await chat.append(id, append)
    await chat.service.settled(sent.runId)
    replyId = sent.replyId
  }
  async function decisionOn(messageId: string) {
    const hash = await callHash(messageId, 0, 'read_file', { path: '/a', round: n })
    return chat.decision(messageId, 0, 'read_file', { callHash: hash })
  }
  for (let round = 1; round < rounds; round += 1) await goOn()
  return { chat, id, parsed, goOn, replyId: () => replyId }
}

it('parses each reply of a long chat once, whatever asks for it', async () => {
  for (const rounds of [6, 24]) {
    const { chat, parsed } = await chatOfRounds(rounds)
    expect(parsed).toHaveLength(rounds)
    expect(new Set(parsed).size).toBe(rounds)
    expect(chat.problems).toEqual([])
    const prompt = JSON.stringify(chat.model.doStreamCalls.at(-1)?.prompt)
    for (let n = 1; n < rounds; n += 1) expect(prompt).toContain(`Round ${n}\\n`)
  }
})

it('parses all of it once more after a change of strategy or tools', async () => {
  const { chat, id, parsed, goOn, replyId } = await chatOfRounds(10)
  const change = async (over: object) => {
    const { settings } = (await chat.service.view('ada', id)).conversation
    await chat.service.patch('ada', id, { settings: { ...settings, ...over } })
    parsed.length = 0
  }
  await change({ strategy: 'XML_Tag' })
  await goOn()
  // The ten replies rewritten in the other form, each checked once, and the new one.
  expect(parsed).toHaveLength(11)
  parsed.length = 0
  await goOn()
  expect(parsed).toHaveLength(1)

  const { tools } = (await chat.service.view('ada', id)).conversation.settings
  await change({ tools: { ...tools, toolToggles: { read_file: false } } })
  const decision = chat.decide(id, await chat.decision(replyId(), 0, 'read_file'))
  await expect(decision).rejects.toMatchObject({ code: 'call-not-open' })
  expect(parsed).toHaveLength(1)
})

it('gives another owner nothing of it', async () => {
  const { chat, id, parsed, replyId } = await chatOfRounds(2)
  const decision = await chat.decision(replyId(), 0, 'read_file')
  await expect(chat.service.decide('eve', id, decision)).rejects.toMatchObject({ code: 'not-found' })
  expect(parsed).toHaveLength(2)
})

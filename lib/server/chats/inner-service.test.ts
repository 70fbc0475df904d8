import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { DecideInner } from '@/lib/shared/conversation/wire/call-requests'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness, type ChatHarness } from './testing/chat-harness'
import { lineToolFacts } from './testing/line-strategy'

let store: Store
let chat: ChatHarness

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  chat = createChatHarness(store, {
    toolFacts(name, registered) {
      const facts = lineToolFacts(name, registered)
      if (!facts) return undefined
      // `write_file` acts as the code tool, `list_directory` and `read_file` as tools that code may call.
      const policy = name === 'write_file' ? { callsTools: 'javascript' as const } : { fromCode: true as const }
      const gate = name === 'read_file' ? { requireResultApproval: 'always' as const } : {}
      return { ...facts, policy: { ...facts.policy, ...gate, ...policy } }
    },
  })
})

const done = (result: CallOutcome['result'] = 'ok'): CallOutcome => ({
  status: 'completed',
  result,
  durationMs: 5,
  console: [],
  displays: [],
})
const ask = (messageId: string, over: Partial<DecideInner> = {}): DecideInner => ({
  messageId,
  slot: 0,
  attempt: 1,
  runnerId: 'tab-1',
  n: 1,
  name: 'list_directory',
  arguments: { path: '/' },
  decision: 'run',
  ...over,
})

/** A chat whose code runs. */
async function running(
  tools: Partial<ToolCallConfig> = {},
  text = 'CALL write_file {"path":"/a"}',
  name = 'write_file',
) {
  const { conversationId: id, replyId } = await chat.withReply(text, { tools: { ...defaultToolConfig, ...tools } })
  await chat.decide(id, await chat.decision(replyId, 0, name))
  return {
    id,
    replyId,
    decide: (over: Partial<DecideInner> = {}) => chat.service.decideInner('ada', id, ask(replyId, over)),
  }
}
const refused = { code: 'conflict' }

describe('a tool that code calls', () => {
  it('runs once by a click, and its outcome is stored with the call', async () => {
    const { id, replyId, decide } = await running()
    expect(await decide()).toMatchObject({ granted: true, call: { inner: [{ n: 1, by: { kind: 'click' } }] } })
    expect(await decide()).toMatchObject({ granted: false })
    const key = { messageId: replyId, slot: 0, attempt: 1, runnerId: 'tab-1', n: 1 }
    await chat.service.finishInner('ada', id, { ...key, outcome: done() })
    const again = await chat.service.finishInner('ada', id, { ...key, outcome: done('other') })
    expect(again.inner).toMatchObject([{ outcome: { result: 'ok' } }])
    expect((await chat.service.view('ada', id)).calls).toMatchObject([{ inner: [{ name: 'list_directory' }] }])
  })

  it('is refused if the tool or the call does not support it, or if it is switched off', async () => {
    const { decide } = await running()
    await expect(decide({ name: 'write_file' })).rejects.toMatchObject(refused)
    await expect(decide({ name: 'none' })).rejects.toMatchObject(refused)
    const off = await running({ toolToggles: { list_directory: false } })
    await expect(off.decide()).rejects.toMatchObject(refused)
    const plain = await running({}, 'CALL read_file {"path":"/a"}', 'read_file')
    await expect(plain.decide()).rejects.toMatchObject(refused)
  })

  it('is refused for another owner, tab or attempt, and once its call has ended', async () => {
    const { id, replyId, decide } = await running()
    await expect(chat.service.decideInner('eve', id, ask(replyId))).rejects.toMatchObject({ code: 'not-found' })
    for (const over of [{ runnerId: 'tab-2' }, { attempt: 2 }]) {
      await expect(decide(over)).rejects.toMatchObject({ code: 'call-not-open' })
    }
    await chat.finish(id, replyId, 0, 'done')
    await expect(decide()).rejects.toMatchObject({ code: 'call-not-open' })
  })

  it('runs without a click only by a rule or grant that covers it', async () => {
    const manual = await running({ mode: 'manual' })
    await expect(manual.decide({ by: { kind: 'auto' } })).rejects.toMatchObject(refused)
    const auto = await running({ mode: 'auto' })
    expect(await auto.decide({ by: { kind: 'auto' } })).toMatchObject({ granted: true })
    await expect(auto.decide({ n: 2, name: 'read_file', by: { kind: 'auto' } })).rejects.toMatchObject(refused)
    await expect(auto.decide({ n: 2, by: { kind: 'grant', grantId: 'none' } })).rejects.toMatchObject(refused)
    const hidden = { path: `/${String.fromCodePoint(0x202e)}a` }
    await expect(auto.decide({ n: 2, arguments: hidden, by: { kind: 'auto' } })).rejects.toMatchObject(refused)
  })

  it('has its result reviewed with that of the code, if it would be reviewed on its own', async () => {
    for (const [name, gated] of [
      ['list_directory', false],
      ['read_file', true],
    ] as const) {
      const { id, replyId, decide } = await running({ resultGate: 'never' })
      await decide({ name, arguments: { path: '/a' } })
      const key = { messageId: replyId, slot: 0, attempt: 1, runnerId: 'tab-1', n: 1 }
      await chat.service.finishInner('ada', id, { ...key, outcome: done() })
      expect(await chat.finish(id, replyId, 0, 'what the code made of it')).toMatchObject({ gated })
    }
  })
})

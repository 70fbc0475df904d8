import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CopyEnd, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { DecideCall } from '@/lib/shared/conversation/wire/api-types'
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
      // Here `read_file` stands in for a tool of a server.
      const capabilities = { files: 'write', network: name === 'read_file' ? 'remote' : 'off' } as const
      return facts && { ...facts, policy: { ...facts.policy, capabilities } }
    },
  })
})

const write = 'CALL write_file {"path":"/a"}'
const remote = 'CALL read_file {"path":"/a"}'
const kept: CopyEnd = { kind: 'kept', changed: 3, kept: 1, leftOut: ['/b', '/c'] }
const discarded: CopyEnd = { kind: 'discarded', changed: 3, kept: 0, leftOut: [] }

const decide = async (id: string, replyId: string, name: string, over: Partial<DecideCall> = {}) =>
  chat.decide(id, await chat.decision(replyId, 0, name, over))

async function begin(id: string, replyId: string, grantId = `copy-${id}`) {
  const { messageId, slot, callHash } = await chat.decision(replyId, 0, 'write_file')
  return chat.service.giveGrant('ada', id, { id: grantId, messageId, slot, callHash, kind: 'copy' })
}

/** A chat that works on a copy: its first call ran there, and its next reply is `text`. */
async function onCopy(text: string, tools: Partial<ToolCallConfig> = {}) {
  const { conversationId: id, replyId } = await chat.withReply(write, { tools: { ...defaultToolConfig, ...tools } })
  const { id: copyId } = await begin(id, replyId)
  await decide(id, replyId, 'write_file', { copyId })
  await chat.finish(id, replyId, 0, 'written')
  await chat.clock.pass(10)
  chat.script([{ text }, { finish: 'stop' }])
  const sent = await chat.append(id, { kind: 'tool-results', id: `results-${id}`, parentId: replyId })
  await chat.service.settled(sent.runId)
  await chat.clock.pass(10)
  return { id, firstId: replyId, replyId: sent.replyId, copyId, by: { kind: 'grant', grantId: copyId } as const }
}

const refused = (words: RegExp) => ({ code: 'conflict', message: expect.stringMatching(words) as string })

describe('working on a copy', () => {
  it('runs calls that stay in the browser without a click, even of a sensitive tool', async () => {
    const { id, replyId, copyId, by } = await onCopy(write)
    expect(await decide(id, replyId, 'write_file', { by, copyId })).toMatchObject({ granted: true, call: { by } })
    expect((await chat.service.view('ada', id)).grants).toMatchObject([{ scope: { kind: 'copy' }, uses: 1 }])
  })

  it('asks as usual for calls that leave the browser, need review, or always need approval', async () => {
    const out = await onCopy(remote)
    const byOut = decide(out.id, out.replyId, 'read_file', { by: out.by, copyId: out.copyId })
    await expect(byOut).rejects.toMatchObject(refused(/needs your click/))
    expect(await decide(out.id, out.replyId, 'read_file', { copyId: out.copyId })).toMatchObject({ granted: true })
    const odd = await onCopy(write.replace('CALL', 'GUESSED'))
    const byOdd = decide(odd.id, odd.replyId, 'write_file', { by: odd.by, copyId: odd.copyId })
    await expect(byOdd).rejects.toMatchObject({ code: 'conflict' })
    const { conversationId, replyId } = await chat.withReply(write, {
      tools: { ...defaultToolConfig, requireConfirmation: true },
    })
    await expect(begin(conversationId, replyId)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('covers no call of a reply from before it', async () => {
    const { conversationId: id, replyId } = await chat.withReply(write)
    await chat.clock.pass(10)
    const { id: copyId } = await begin(id, replyId)
    const by = { kind: 'grant', grantId: copyId } as const
    await expect(decide(id, replyId, 'write_file', { by, copyId })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('runs every call on the copy while it is open, and none after', async () => {
    const { id, replyId, copyId, by } = await onCopy(write)
    await expect(decide(id, replyId, 'write_file')).rejects.toMatchObject(refused(/on a copy of the files/))
    await chat.service.endCopy('ada', id, copyId, discarded)
    for (const over of [{ copyId }, { by, copyId }]) {
      await expect(decide(id, replyId, 'write_file', over)).rejects.toMatchObject(refused(/on a copy of the files/))
    }
    await expect(decide(id, replyId, 'write_file', { by })).rejects.toMatchObject({ code: 'conflict' })
    expect(await decide(id, replyId, 'write_file')).toMatchObject({ granted: true })
  })

  it('allows one copy at a time, and its first end counts', async () => {
    const { id, replyId, copyId } = await onCopy(write)
    expect((await begin(id, replyId, 'another')).id).toBe(copyId)
    const ends = await Promise.all([kept, discarded].map((end) => chat.service.endCopy('ada', id, copyId, end)))
    const [first] = ends
    expect(ends).toEqual([first, first])
    expect(first).toMatchObject({ revokedAt: chat.clock.now(), scope: { kind: 'copy', end: { changed: 3 } } })
    await expect(chat.service.endCopy('ada', id, 'none', kept)).rejects.toMatchObject({ code: 'not-found' })
    await expect(chat.service.endCopy('eve', id, copyId, kept)).rejects.toMatchObject({ code: 'not-found' })
    expect((await begin(id, replyId, 'another')).id).toBe('another')
  })

  it('tells the model with the next message how the copy ended, once', async () => {
    const { id, replyId, copyId } = await onCopy('All is done.')
    await chat.service.endCopy('ada', id, copyId, kept)
    await chat.clock.pass(10)
    const { replyId: nextId, message } = await chat.send(id, 'thanks', replyId)
    expect(message).toMatchObject({ text: 'thanks', copyEnd: kept })
    const told = JSON.stringify(chat.model.doStreamCalls.at(-1)?.prompt.at(-1))
    expect(told).toContain('kept the changes of one file and discarded those of 2 files')
    await chat.clock.pass(10)
    expect((await chat.send(id, 'and', nextId)).message).not.toHaveProperty('copyEnd')
  })

  it('does not mention it in a branch that began before it', async () => {
    const { conversationId: id, replyId, userId } = await chat.withReply('Hello.')
    await chat.clock.pass(10)
    chat.script([{ text: write }, { finish: 'stop' }])
    const asked = await chat.send(id, 'write it', replyId)
    const { id: copyId } = await begin(id, asked.replyId)
    await chat.clock.pass(10)
    await chat.service.endCopy('ada', id, copyId, discarded)
    const other = await chat.send(id, 'something else', replyId, 'back')
    expect([userId, other.message?.text]).toEqual([userId, 'something else'])
    expect(other.message).not.toHaveProperty('copyEnd')
  })
})

import { APICallError } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createChatHarness, testLimits, type ChatHarness, type Script } from './testing/chat-harness'

let store: Store
let databaseNow = 1_000_000
let chat: ChatHarness

beforeAll(async () => {
  store = await openTestStore({ decodeSettings, now: () => databaseNow })
})
afterAll(() => store.close())
beforeEach(() => {
  chat = createChatHarness(store)
})

const read = 'CALL read_file {"path":"/a"}'
const refused = (code: string, words?: RegExp) => ({
  code,
  ...(words && { message: expect.stringMatching(words) as string }),
})
const apiError = (statusCode: number) =>
  new APICallError({ message: 'no', url: 'http://model', requestBodyValues: {}, statusCode })

async function events(runId: string, after = 0): Promise<RunEvent[]> {
  const seen: RunEvent[] = []
  for await (const some of await chat.service.events('ada', runId, after, new AbortController().signal))
    seen.push(...some)
  return seen
}

describe('a turn', () => {
  it('goes from the message to the stored reply, with a readable log', async () => {
    const id = await chat.newChat({ systemPrompt: 'be brief' })
    chat.script([{ reasoning: 'hm' }, { text: 'Hel' }, { text: 'lo' }, { finish: 'stop' }])
    const sent = await chat.send(id, 'Make a table\nof orders')
    const view = await chat.service.view('ada', id)
    expect(view).toMatchObject({
      activeRunId: null,
      conversation: { title: 'Make a table of orders', headId: sent.replyId },
    })
    expect(view.messages).toEqual([
      sent.message,
      expect.objectContaining({
        id: sent.replyId,
        text: 'Hello',
        reasoning: 'hm',
        outcome: 'finished',
        strategy: 'JSON_Strict',
        model: 'test/scripted',
        toolsEnabled: true,
        usage: { inputTokens: 7, outputTokens: 3 },
      }),
    ])
    const log = await events(sent.runId)
    expect(log[0]?.type).toBe('start')
    expect(log.at(-1)).toMatchObject({ type: 'end', outcome: 'finished' })
    const [call] = chat.model.doStreamCalls
    expect(JSON.stringify(call?.prompt)).toContain('be brief')
    expect(JSON.stringify(call?.prompt)).toContain('of orders')
    expect(call?.tools ?? []).toEqual([])
  })

  it('streams the text to a reader while it is written', async () => {
    const id = await chat.newChat()
    chat.script([{ text: 'first words' }, { hang: 'listening' }])
    const sent = await chat.append(id, { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    const seen: RunEvent[] = []
    const reading = (async () => {
      for await (const some of await chat.service.events('ada', sent.runId, 0, new AbortController().signal))
        seen.push(...some)
    })()
    await chat.settle()
    expect(seen).toMatchObject([{ type: 'start' }, { type: 'delta', text: 'first words' }])
    expect(await chat.service.list('ada', '')).toContainEqual(expect.objectContaining({ id, running: true }))
    await chat.service.stop('ada', sent.runId)
    await chat.service.settled(sent.runId)
    await reading
    expect(seen.at(-1)).toMatchObject({ type: 'end', outcome: 'stopped' })
  })

  it.each<[string, Script, object]>([
    ['length', [{ text: 'cut' }, { finish: 'length' }], { outcome: 'length', text: 'cut', failure: null }],
    [
      'content-filter',
      [{ text: 'x' }, { finish: 'content-filter' }],
      { outcome: 'failed', failure: { code: 'refused' } },
    ],
    ['an unknown reason', [{ text: 'x' }, { finish: 'other', raw: 'eos' }], { outcome: 'finished' }],
    [
      'no reason at all',
      [{ text: 'x' }, { finish: 'other' }],
      { outcome: 'failed', failure: { code: 'bad-response' } },
    ],
    ['the end of the stream', [{ text: 'half' }], { outcome: 'failed', text: 'half' }],
    ['a status 401', [{ fail: apiError(401) }], { outcome: 'failed', failure: { code: 'unauthorised' } }],
    ['a status 429', [{ fail: apiError(429) }], { outcome: 'failed', failure: { code: 'rate-limited' } }],
    ['a status 500', [{ fail: apiError(500) }], { outcome: 'failed', failure: { code: 'server-error' } }],
    ['an error mid-stream', [{ text: 'a' }, { fail: apiError(500) }], { outcome: 'failed', text: 'a' }],
  ])('maps %s to an outcome and keeps the text', async (_name, script, expected) => {
    const id = await chat.newChat()
    chat.script(script)
    const { replyId } = await chat.send(id, 'hi')
    const reply = await chat.reply(id, replyId)
    expect(reply).toMatchObject(expected)
    if (reply.outcome === 'failed') expect(reply.failure?.message).toMatch(/\w\.$/)
  })

  it('fails with a message when the model is unknown, and the chat stays usable', async () => {
    const id = await chat.newChat({ model: 'nobody/nothing' })
    const { replyId, userId } = await chat.send(id, 'hi')
    expect((await chat.reply(id, replyId)).failure?.message).toMatch(/Choose another model/)
    const view = await chat.service.view('ada', id)
    await chat.service.patch('ada', id, { settings: { ...view.conversation.settings, model: 'test/scripted' } })
    const retried = await chat.append(id, { kind: 'reply', id: 'retry-1', parentId: userId })
    await chat.service.settled(retried.runId)
    expect(await chat.reply(id, retried.replyId)).toMatchObject({ outcome: 'finished', parentId: userId })
    expect(retried.message).toBeNull()
  })

  it('uses another model and format if the request says so; the settings stay', async () => {
    const id = await chat.newChat({ model: 'nobody/nothing' })
    const { userId } = await chat.send(id, 'hi')
    const { conversation } = await chat.service.view('ada', id)
    const as = { model: 'test/scripted', strategy: 'XML_Tag' } as const
    const other = await chat.append(id, { kind: 'reply', id: 'other', parentId: userId, as })
    await chat.service.settled(other.runId)
    expect(await chat.reply(id, other.replyId)).toMatchObject({ outcome: 'finished', parentId: userId, ...as })
    expect((await chat.service.view('ada', id)).conversation.settings).toEqual(conversation.settings)
  })

  it('answers no deleted message', async () => {
    const id = await chat.newChat()
    const { userId, replyId } = await chat.send(id, 'hi')
    await chat.service.setDeleted('ada', id, [userId], true)
    const again = chat.append(id, { kind: 'reply', id: 'again', parentId: userId })
    await expect(again).rejects.toMatchObject({ code: 'bad-request', message: expect.stringMatching(/was deleted/) })
    const page = await chat.service.setDeleted('ada', id, [userId], false)
    expect(page).toMatchObject({ messages: [{ id: userId, text: 'hi' }], headId: replyId })
    await expect(chat.service.setDeleted('eve', id, [userId], true)).rejects.toMatchObject({ code: 'not-found' })
  })

  it.each(['listening', 'deaf'] as const)('ends a %s model on Stop at once and keeps the text', async (hang) => {
    const id = await chat.newChat()
    chat.script([{ text: 'so far' }, { hang }])
    const sent = await chat.append(id, { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    await chat.settle()
    await chat.service.stop('ada', sent.runId)
    await chat.service.settled(sent.runId)
    expect(await chat.reply(id, sent.replyId)).toMatchObject({ outcome: 'stopped', text: 'so far', failure: null })
    expect((await events(sent.runId)).at(-1)).toMatchObject({ type: 'end', outcome: 'stopped' })
  })

  it('ends a silent model as stalled, but not one that still writes', async () => {
    const id = await chat.newChat()
    chat.script([{ text: 'then nothing' }, { hang: 'deaf' }])
    const sent = await chat.append(id, { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    await chat.clock.pass(59_000)
    expect((await chat.service.view('ada', id)).activeRunId).toBe(sent.runId)
    await chat.clock.pass(2_000)
    await chat.service.settled(sent.runId)
    const reply = await chat.reply(id, sent.replyId)
    expect(reply).toMatchObject({ outcome: 'failed', text: 'then nothing', failure: { code: 'stalled' } })
  })

  it('keeps the text and is shown as interrupted after a crash, at the next read', async () => {
    const id = await chat.newChat()
    chat.script([{ text: 'before the crash' }, { hang: 'deaf' }])
    const sent = await chat.append(id, { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    await chat.settle()
    // Another process, later: the first one crashed.
    const restarted = createChatHarness(store)
    databaseNow += 60_000
    const view = await restarted.service.view('ada', id)
    expect(view.activeRunId).toBeNull()
    expect(view.messages[1]).toMatchObject({ text: 'before the crash', outcome: 'interrupted' })
    const next = await restarted.send(id, 'go on', sent.replyId)
    expect(await restarted.reply(id, next.replyId)).toMatchObject({ outcome: 'finished' })
    // The first process was only slow: its end arrives too late and changes nothing.
    await chat.clock.passUntil(chat.service.drain(0))
    expect(await restarted.reply(id, sent.replyId)).toEqual(view.messages[1])
  })

  it('lets replies finish at shutdown, then ends the rest as interrupted and accepts no more', async () => {
    const id = await chat.newChat()
    chat.script([{ text: 'half' }, { hang: 'listening' }])
    const sent = await chat.append(id, { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    await chat.settle()
    const drained = chat.service.drain(20_000)
    await expect(
      chat.append(await chat.newChat(), { kind: 'user', id: 'u', parentId: null, text: 'x' }),
    ).rejects.toMatchObject(refused('unavailable', /restarting/))
    await chat.clock.pass(19_000)
    expect(chat.runLog.active.size).toBe(1)
    await chat.clock.pass(2_000)
    await drained
    expect(await chat.reply(id, sent.replyId)).toMatchObject({ outcome: 'interrupted', text: 'half' })
  })

  it('survives the deletion of the chat while the model writes', async () => {
    const id = await chat.newChat()
    chat.script([{ text: 'x' }, { hang: 'listening' }])
    const sent = await chat.append(id, { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    await chat.settle()
    await chat.service.remove('ada', id)
    await chat.service.settled(sent.runId)
    await expect(chat.service.view('ada', id)).rejects.toMatchObject(refused('not-found'))
    expect(chat.problems).toEqual([])
  })

  it('refuses more replies than the process can write at once', async () => {
    const fair = { ...testLimits.fair, maxQueued: 0 }
    chat = createChatHarness(store, { limits: { ...testLimits, maxRuns: 1, fair } })
    chat.script([{ hang: 'listening' }])
    const sent = await chat.append(await chat.newChat(), { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    const other = await chat.newChat()
    const append = { kind: 'user', id: 'u1', parentId: null, text: 'hi' } as const
    await expect(chat.append(other, append)).rejects.toMatchObject(refused('unavailable'))
    await chat.service.stop('ada', sent.runId)
    await chat.service.settled(sent.runId)
    const later = await chat.append(other, append)
    await chat.service.settled(later.runId)
  })
})

describe('an append', () => {
  it('that is repeated counts once: one message, one reply, one model call', async () => {
    const id = await chat.newChat()
    const append = { kind: 'user', id: 'u1', parentId: null, text: 'hi' } as const
    const answers = await Promise.all([1, 2, 3].map(() => chat.append(id, append)))
    await chat.service.settled(answers[0]?.runId ?? '')
    answers.push(await chat.append(id, append))
    expect(new Set(answers.map(({ runId, replyId }) => `${runId} ${replyId}`)).size).toBe(1)
    expect(answers.map(({ message }) => message?.id)).toEqual(['u1', 'u1', 'u1', 'u1'])
    expect((await chat.service.view('ada', id)).messages).toHaveLength(2)
    expect(chat.model.doStreamCalls).toHaveLength(1)
  })

  it('is refused while a reply is written, whatever its kind', async () => {
    const id = await chat.newChat()
    chat.script([{ hang: 'listening' }])
    const sent = await chat.append(id, { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    for (const append of [
      { kind: 'user', id: 'u2', parentId: 'u1', text: 'again' },
      { kind: 'user', id: 'u3', parentId: sent.replyId, text: 'again' },
      { kind: 'reply', id: 'r2', parentId: 'u1' },
    ] as const) {
      await expect(chat.append(id, append)).rejects.toMatchObject(refused('run-in-progress', /Stop it first/))
    }
    await chat.service.stop('ada', sent.runId)
    await chat.service.settled(sent.runId)
    expect((await chat.service.view('ada', id)).messages).toHaveLength(2)
  })

  it('writes replies side by side at the same time; each is stopped alone, and one may fail', async () => {
    const id = await chat.newChat()
    const first = await chat.send(id, 'hi')
    chat.script([{ hang: 'listening' }], [{ hang: 'listening' }])
    const ask = (name: string, model: string) =>
      chat.append(id, {
        kind: 'reply',
        id: name,
        parentId: first.userId,
        beside: true,
        as: { model, strategy: 'XML_Tag' },
      })
    const [one, two, three] = [
      await ask('s1', 'test/scripted'),
      await ask('s2', 'test/scripted'),
      await ask('s3', 'gone/model'),
    ]
    await chat.service.settled(three.runId)
    const view = await chat.service.view('ada', id)
    expect(view.conversation.headId).toBe(first.replyId)
    expect(view.sideRunIds?.toSorted()).toEqual([one.runId, two.runId].toSorted())
    const turn = { kind: 'user', id: 'u2', parentId: first.replyId, text: 'next' } as const
    await expect(chat.append(id, turn)).rejects.toMatchObject(refused('run-in-progress'))
    await chat.service.stop('ada', one.runId)
    await chat.service.settled(one.runId)
    expect((await chat.service.view('ada', id)).sideRunIds).toEqual([two.runId])
    await chat.service.stop('ada', two.runId)
    await chat.service.settled(two.runId)
    const ends = (await chat.service.view('ada', id)).messages.flatMap((row) =>
      row.role === 'assistant' ? [[row.model, row.outcome]] : [],
    )
    expect(ends.slice(1)).toEqual([
      ['test/scripted', 'stopped'],
      ['test/scripted', 'stopped'],
      ['gone/model', 'failed'],
    ])
    await chat.send(id, 'next', first.replyId)
  })

  it('of sides whose process crashed: all are shown as interrupted at the next read, and the chat goes on', async () => {
    const id = await chat.newChat()
    const first = await chat.send(id, 'hi')
    chat.script([{ text: 'one' }, { hang: 'deaf' }], [{ text: 'two' }, { hang: 'deaf' }])
    for (const name of ['s1', 's2']) {
      await chat.append(id, { kind: 'reply', id: name, parentId: first.userId, beside: true })
    }
    await chat.settle()
    const restarted = createChatHarness(store)
    databaseNow += 60_000
    const view = await restarted.service.view('ada', id)
    expect([view.activeRunId, view.sideRunIds]).toEqual([null, undefined])
    const ends = view.messages.flatMap((row) => (row.role === 'assistant' ? [`${row.text} ${row.outcome}`] : []))
    expect(ends.slice(1).toSorted()).toEqual(['one interrupted', 'two interrupted'])
    const next = await restarted.send(id, 'go on', first.replyId)
    expect(await restarted.reply(id, next.replyId)).toMatchObject({ outcome: 'finished' })
    await chat.clock.passUntil(chat.service.drain(0))
  })

  it('never forks a branch by accident: a message for an outdated head is refused with the current head', async () => {
    const id = await chat.newChat()
    const first = await chat.send(id, 'one')
    const second = await chat.send(id, 'two', first.replyId)
    for (const parentId of [null, first.userId, first.replyId]) {
      await expect(
        chat.append(id, { kind: 'user', id: `late-${parentId}`, parentId, text: 'late' }),
      ).rejects.toMatchObject({
        ...refused('conflict', /continued elsewhere/),
        headId: second.replyId,
      })
    }
    await expect(
      chat.append(id, { kind: 'reply', id: 'late-reply', parentId: first.userId, head: first.replyId }),
    ).rejects.toMatchObject({ ...refused('conflict'), headId: second.replyId })
    expect((await chat.service.view('ada', id)).messages).toHaveLength(4)
    // The same text appended to the current head, with the same id.
    const late = { kind: 'user', id: 'late-null', parentId: second.replyId, text: 'late' } as const
    const sent = await chat.append(id, late)
    await chat.service.settled(sent.runId)
    expect((await chat.append(id, { ...late, parentId: null })).replyId).toBe(sent.replyId)
    // An explicit step back starts a branch.
    const back = await chat.send(id, 'from here', first.replyId, 'back')
    expect((await chat.service.view('ada', id)).conversation.headId).toBe(back.replyId)
    // An append to the leaf of another branch continues it, unless it is no longer a leaf.
    const leaf = await chat.send(id, 'there again', sent.replyId, 'leaf')
    expect((await chat.service.view('ada', id)).conversation.headId).toBe(leaf.replyId)
    await expect(chat.send(id, 'and again', sent.replyId, 'leaf')).rejects.toMatchObject(refused('conflict'))
  })

  it('is stored for only one of two requests that continue from the same head at the same time', async () => {
    const id = await chat.newChat()
    const first = await chat.send(id, 'one')
    const tries = await Promise.allSettled(
      ['here', 'there'].map(async (text) => {
        const answer = await chat.append(id, { kind: 'user', id: text, parentId: first.replyId, text })
        await chat.service.settled(answer.runId)
      }),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await chat.service.view('ada', id)).messages).toHaveLength(4)
  })

  it('creates branches by edit and regenerate, and shows the newest leaf of the chosen one', async () => {
    const id = await chat.newChat()
    const first = await chat.send(id, 'one')
    const second = await chat.send(id, 'two', first.replyId)
    const edited = await chat.send(id, 'one, edited', null, 'edit')
    const again = await chat.append(id, { kind: 'reply', id: 'again', parentId: first.userId })
    await chat.service.settled(again.runId)
    const view = await chat.service.view('ada', id)
    expect(view.messages).toHaveLength(7)
    expect(view.conversation.headId).toBe(again.replyId)
    expect((await chat.service.patch('ada', id, { headId: first.replyId })).headId).toBe(second.replyId)
    expect((await chat.service.patch('ada', id, { headId: edited.userId })).headId).toBe(edited.replyId)
    await expect(chat.service.patch('ada', id, { headId: 'nowhere' })).rejects.toMatchObject(refused('not-found'))
    const stay = (headId: string | null) => chat.service.patch('ada', id, { headId, headStays: true })
    expect((await stay(first.replyId)).headId).toBe(first.replyId)
    expect((await stay(null)).headId).toBeNull()
    await expect(stay('nowhere')).rejects.toMatchObject(refused('not-found'))
    await expect(chat.service.patch('ada', id, { headId: null })).rejects.toMatchObject(refused('bad-request'))
    const prompts = chat.model.doStreamCalls.map(({ prompt }) => prompt.length)
    expect(prompts).toEqual([1, 3, 1, 1])
  })

  it('sets the title from the first text until the user renames the chat', async () => {
    const id = await chat.newChat()
    const long = `A rather long first message ${'that goes on '.repeat(10)}`
    const { replyId } = await chat.send(id, long)
    const { title } = (await chat.service.view('ada', id)).conversation
    expect(title.length).toBeLessThanOrEqual(60)
    expect(title).toMatch(/^A rather long first message .*…$/)
    await chat.service.patch('ada', id, { title: 'Mine' })
    await chat.send(id, 'something else', replyId)
    expect((await chat.service.view('ada', id)).conversation.title).toBe('Mine')
  })

  it('is refused for missing or unsuitable parents', async () => {
    const { conversationId, replyId, userId } = await chat.withReply('no calls here')
    const append = (one: object) => chat.append(conversationId, { id: 'x', ...one } as never)
    await expect(append({ kind: 'user', parentId: 'nowhere', text: 'a' })).rejects.toMatchObject(refused('not-found'))
    await expect(append({ kind: 'reply', parentId: replyId })).rejects.toMatchObject(refused('bad-request'))
    await expect(append({ kind: 'tool-results', parentId: userId })).rejects.toMatchObject(refused('bad-request'))
    await expect(append({ kind: 'tool-results', parentId: replyId })).rejects.toMatchObject(refused('call-not-open'))
    await expect(append({ kind: 'user', id: replyId, parentId: userId, text: 'a' })).rejects.toMatchObject(
      refused('conflict'),
    )
  })

  it('of another owner is answered as if nothing existed', async () => {
    const { conversationId, replyId } = await chat.withReply(read)
    const { service } = chat
    const runId = (await chat.reply(conversationId, replyId)).runId
    const decision = await chat.decision(replyId, 0, 'read_file')
    const outcome = { status: 'completed', result: 1, durationMs: 1, console: [], displays: [] } as const
    const foreign: readonly (() => Promise<unknown>)[] = [
      () => service.view('eve', conversationId),
      () => service.patch('eve', conversationId, { title: 'x' }),
      () => service.patch('eve', conversationId, { headId: replyId }),
      () => service.remove('eve', conversationId),
      () => service.append('eve', { conversationId, append: { kind: 'user', id: 'u', parentId: null, text: 'x' } }),
      () => service.events('eve', runId, 0, new AbortController().signal),
      () => service.stop('eve', runId),
      () => service.decide('eve', conversationId, decision),
      () => service.finish('eve', conversationId, { messageId: replyId, slot: 0, attempt: 1, runnerId: 't', outcome }),
    ]
    for (const attempt of foreign) await expect(attempt()).rejects.toMatchObject(refused('not-found'))
    expect(await service.list('eve', '')).toEqual([])
    // Ids belong to one owner: the same id of another owner reveals and changes nothing.
    expect(await service.create('eve', { id: conversationId })).toMatchObject({ id: conversationId, headId: null })
    expect((await service.view('eve', conversationId)).messages).toEqual([])
    await service.remove('eve', conversationId)
    expect((await service.view('ada', conversationId)).messages).toHaveLength(2)
  })

  it('loads a chat with corrupt settings with the defaults, and says so', async () => {
    const broken = createChatHarness({
      ...store,
      loadConversation: async (...args) => {
        const stored = await store.loadConversation(...args)
        const { settings, problem } = decodeSettings('{"version":1,"model":5', 'test/scripted')
        return stored && { ...stored, conversation: { ...stored.conversation, settings, settingsProblem: problem } }
      },
    })
    const id = await broken.newChat()
    const { replyId } = await broken.send(id, 'hi')
    expect((await broken.service.view('ada', id)).conversation.settingsProblem).toBe('damaged')
    expect((await broken.reply(id, replyId)).outcome).toBe('finished')
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness, testLimits, type ChatHarness } from './testing/chat-harness'

let store: Store
let chat: ChatHarness
let windowTokens: number | null
let promptTokens: number | null
/** What was loaded from the store: branches and whole chats. */
let loaded: string[]

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  windowTokens = null
  promptTokens = null
  loaded = []
  const watched: Store = {
    ...store,
    loadConversation: (...args) => {
      loaded.push('all')
      return store.loadConversation(...args)
    },
    loadBranch: async (...args) => {
      const branch = await store.loadBranch(...args)
      loaded.push(String(branch?.messages.length))
      return branch
    },
  }
  const plain = createChatHarness(store)
  chat = createChatHarness(watched, {
    models: {
      list: () => Promise.resolve({ models: [], defaultModel: 'test/scripted', problems: [] }),
      languageModel: () => plain.model,
      info: (id) => ({ id, label: 'Scripted', providerLabel: 'Test', contextTokens: windowTokens, simulated: false }),
      seesImages: () => Promise.resolve(false),
      windowTokens: () => Promise.resolve(windowTokens),
    },
    limits: {
      ...testLimits,
      get promptTokens() {
        return promptTokens
      },
    },
  })
  Object.assign(chat, { model: plain.model, script: plain.script })
})

const words = (n: number) => `word ${n} ${'of the person, '.repeat(10)}`

/** A chat with this many turns of about forty tokens per message. */
async function longChat(turns: number): Promise<{ readonly id: string; readonly head: string | null }> {
  const id = await chat.newChat()
  let head: string | null = null
  for (let n = 0; n < turns; n += 1) {
    chat.script([{ text: `answer ${n} ${'of the model, '.repeat(10)}` }, { finish: 'stop' }])
    head = (await chat.send(id, words(n), head)).replyId
  }
  return { id, head }
}

/** A chat with given texts, created by an import, which is far faster. */
async function broughtChat(texts: readonly string[]): Promise<{ readonly id: string; readonly head: string }> {
  const { pieces } = await chat.service.export('ada', (await longChat(1)).id)
  const file = JSON.parse((await Array.fromAsync(pieces)).join('')) as ConversationExport
  const [said, answered] = file.messages
  if (said?.role !== 'user' || answered?.role !== 'assistant') throw new Error('a turn is a question and its answer')
  const messages = texts.flatMap((text, n) => [
    { ...said, id: `u${n}`, parentId: n === 0 ? null : `a${n - 1}`, text },
    { ...answered, id: `a${n}`, parentId: `u${n}`, text },
  ])
  const conversation = { ...file.conversation, headId: `a${texts.length - 1}` }
  const brought = { ...file, conversation, messages, calls: [] }
  const { id } = await chat.service.import('ada', { id: crypto.randomUUID(), export: brought })
  return { id, head: (await chat.service.view('ada', id)).messages.at(-1)?.id ?? '' }
}

const lastPrompt = () => JSON.stringify(chat.model.doStreamCalls.at(-1)?.prompt)

describe('a chat that is longer than its model’s window', () => {
  it('is sent without its oldest messages; the reply records how many, and only the end was read', async () => {
    const { id, head } = await longChat(60)
    windowTokens = 2_000
    loaded = []
    const { replyId } = await chat.send(id, 'and now?', head)
    expect(loaded.every((count) => Number(count) < 100)).toBe(true)

    const { trimmed } = await chat.reply(id, replyId)
    expect(trimmed?.windowTokens).toBe(2_000)
    const left = trimmed?.messages ?? 0
    expect(left).toBeGreaterThan(60)
    expect(left).toBeLessThan(120)
    const prompt = lastPrompt()
    expect(prompt).toContain(`(${left} earlier messages of this chat are left out here`)
    expect(prompt).toContain('and now?')
    expect(prompt).toContain(words(left / 2))
    expect(prompt).not.toContain(words(left / 2 - 1))
  })

  it('is not read far beyond what fits, however short its last messages are', async () => {
    const { id, head } = await broughtChat([
      ...Array.from({ length: 400 }, (_, n) => words(n)),
      ...Array.from({ length: 30 }, () => 'ok'),
    ])
    windowTokens = 4_000
    loaded = []
    const { replyId } = await chat.send(id, 'and now?', head)
    const read = loaded.reduce((sum, count) => sum + Number(count), 0)
    const sent = 860 - ((await chat.reply(id, replyId)).trimmed?.messages ?? 0)
    expect(sent).toBeGreaterThan(70)
    expect(read).toBeLessThan(sent * 3)
  })

  it('is marked so in the run’s first event, in the export and in an import of it', async () => {
    const { id, head } = await longChat(30)
    windowTokens = 1_000
    const { replyId, runId } = await chat.send(id, 'and now?', head)
    const { trimmed } = await chat.reply(id, replyId)
    expect(trimmed).toBeDefined()
    const [start] = (await store.readRunEvents({ owner: 'ada', runId }, 0, 1))?.events ?? []
    expect(start).toMatchObject({ type: 'start', message: { trimmed } })
    const { pieces } = await chat.service.export('ada', id)
    const exported = JSON.parse((await Array.fromAsync(pieces)).join('')) as ConversationExport
    const copy = await chat.service.import('ada', { id: crypto.randomUUID(), export: exported })
    const last = (await chat.service.view('ada', copy.id)).messages.at(-1)
    expect(last).toMatchObject({ role: 'assistant', trimmed })
  })

  it('is sent whole if it fits, and if neither a window nor a prompt limit is known', async () => {
    const { id, head } = await longChat(30)
    const first = await chat.send(id, 'unknown', head)
    expect(lastPrompt()).toContain(words(0))
    windowTokens = 100_000
    const second = await chat.send(id, 'large', first.replyId)
    expect(lastPrompt()).toContain(words(0))
    for (const { replyId } of [first, second]) expect(await chat.reply(id, replyId)).not.toHaveProperty('trimmed')
  })

  it('is cut to the prompt limit if no window is known, is marked as assumed, and is never refused', async () => {
    const { id, head } = await longChat(60)
    promptTokens = 2_000
    loaded = []
    const { replyId } = await chat.send(id, 'and now?', head)
    expect(loaded.every((count) => Number(count) < 100)).toBe(true)
    const { trimmed } = await chat.reply(id, replyId)
    expect(trimmed).toMatchObject({ windowTokens: 2_000, assumed: true })
    const prompt = lastPrompt()
    expect(prompt).toContain(`(${trimmed?.messages} earlier messages of this chat are left out here`)
    expect(prompt).not.toContain('context window')
    const exported = JSON.parse(
      (await Array.fromAsync((await chat.service.export('ada', id)).pieces)).join(''),
    ) as ConversationExport
    const copy = await chat.service.import('ada', { id: crypto.randomUUID(), export: exported })
    expect((await chat.service.view('ada', copy.id)).messages.at(-1)).toMatchObject({ trimmed })

    const long = await chat.send(id, 'long '.repeat(5_000), replyId)
    expect(await chat.reply(id, long.replyId)).toMatchObject({ outcome: 'finished', text: 'ok' })
    windowTokens = 100_000
    const known = await chat.send(id, 'and now, to another?', long.replyId)
    expect(await chat.reply(id, known.replyId)).not.toHaveProperty('trimmed')
  })

  it('keeps the user’s request through many rounds of calls, each call with its result', async () => {
    const id = await chat.newChat()
    chat.script([{ text: 'early '.repeat(200) }, { finish: 'stop' }])
    const early = await chat.send(id, 'before all')
    const read = `${'thinking '.repeat(20)}\nCALL read_file {"path":"/a"}`
    chat.script([{ text: read }, { finish: 'stop' }])
    let { replyId } = await chat.send(id, 'read until it is found', early.replyId)
    windowTokens = 1_500
    for (let n = 0; n < 30; n += 1) {
      await chat.decide(id, await chat.decision(replyId, 0, 'read_file'))
      await chat.finish(id, replyId, 0, `content ${n} ${'and more '.repeat(10)}`)
      chat.script([{ text: read }, { finish: 'stop' }])
      const sent = await chat.append(id, { kind: 'tool-results', id: `r${n}`, parentId: replyId, continueRounds: true })
      await chat.service.settled(sent.runId)
      replyId = sent.replyId
    }
    const reply = await chat.reply(id, replyId)
    expect(reply.outcome).toBe('finished')
    expect(reply.trimmed?.messages).toBeGreaterThan(30)
    const prompt = lastPrompt()
    expect(prompt).toContain('read until it is found')
    expect(prompt).not.toContain('before all')
    expect(prompt).toContain('content 29')
    expect(prompt).not.toContain('content 0 ')
    expect(prompt.split('CALL read_file').length).toBe(prompt.split('content ').length)
    expect(chat.problems).toEqual([])
  })

  it('is refused if the last message alone exceeds the window, and works with a larger model', async () => {
    const id = await chat.newChat()
    windowTokens = 500
    const asked = chat.model.doStreamCalls.length
    const { replyId, userId } = await chat.send(id, 'long '.repeat(5_000))
    expect(chat.model.doStreamCalls).toHaveLength(asked)
    const { outcome, failure } = await chat.reply(id, replyId)
    expect(outcome).toBe('failed')
    expect(failure?.code).toBe('too-long')
    expect(failure?.message).toMatch(/Scripted at Test.* about 5,\d00 tokens, but the context window has 500/s)
    windowTokens = 20_000
    const again = await chat.append(id, { kind: 'reply', id: 'again', parentId: userId })
    await chat.service.settled(again.runId)
    expect(await chat.reply(id, again.replyId)).toMatchObject({ outcome: 'finished', text: 'ok' })
  })

  it('is still sent if only the estimate says that it does not fit', async () => {
    const id = await chat.newChat()
    windowTokens = 1_000
    const { replyId } = await chat.send(id, 'word '.repeat(900))
    expect(await chat.reply(id, replyId)).toMatchObject({ outcome: 'finished' })
  })
})

import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestReply } from '@/lib/client/chats/tab-writer/request-reply'
import type { BrowserModelConfig } from '../browser-model'
import { pasteKind } from './kind'
import { createPasteQueue, createPastedDrafts, newInPrompt, completePrompt, createPastedChats } from './paste-queue'

const system: LanguageModelV4Message = { role: 'system', content: 'You have tools.' }
const user = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] })
const assistant = (text: string): LanguageModelV4Message => ({ role: 'assistant', content: [{ type: 'text', text }] })

function memory(room = Number.POSITIVE_INFINITY) {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, value)
    },
  }
}

describe('a prompt as a text', () => {
  it('contains the system prompt and the message, unchanged; names the speakers only if there are several', () => {
    expect(completePrompt([system, user('Hi')]).text).toBe('You have tools.\n\nHi')
    expect(completePrompt([user('Hi')]).text).toBe('Hi')
    expect(completePrompt([system, user('Hi'), assistant('Yes?'), user('Go')]).text).toBe(
      'You have tools.\n\n[User]\nHi\n\n[Assistant]\nYes?\n\n[User]\nGo',
    )
  })

  it('separates what came after the last reply, if there was one', () => {
    expect(newInPrompt([system, user('Hi')])).toBeNull()
    expect(newInPrompt([system, user('Hi'), assistant('a'), user('b'), assistant('c'), user('d')])?.text).toBe('d')
  })

  it('counts the images that it can’t contain, for its own part only', () => {
    const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array(1) } } as const
    const seen: LanguageModelV4Message = { role: 'user', content: [{ type: 'text', text: 'Look' }, picture] }
    expect(completePrompt([seen])).toEqual({ text: 'Look', pictures: 1 })
    expect(newInPrompt([seen, assistant('ok'), user('and?')])?.pictures).toBe(0)
  })

  it('contains every text of every message', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(texts, fc.string(), (said, told) => {
        const messages = said.map((text, at) => (at % 2 === 0 ? user(text) : assistant(text)))
        const { text } = completePrompt([{ role: 'system', content: told }, ...messages])
        expect([told, ...said].every((one) => text.includes(one))).toBe(true)
      }),
    )
  })
})

describe('what another chat was given', () => {
  const first: LanguageModelV4Prompt = [system, user('Hi')]
  const next = (reply: string, told = system): LanguageModelV4Prompt => [told, user('Hi'), assistant(reply), user('Go')]

  it('is known by what this tab took there and brought back, also after a reload', () => {
    const storage = memory()
    const told = createPastedChats(storage)
    expect(told.knows(first)).toBe(false)
    expect(told.knows(next('Yes?'))).toBe(false)
    told.note(first, 'Yes?\r\n')
    for (const one of [told, createPastedChats(storage)]) {
      expect(one.knows(next('Yes?'))).toBe(true)
      expect(one.knows(next('No.'))).toBe(false)
      expect(one.knows(next('Yes?', { role: 'system', content: 'Other tools.' }))).toBe(false)
    }
  })

  it('is identified by the last reply to the same question', () => {
    const told = createPastedChats(null)
    told.note(first, 'Yes?')
    told.note(first, 'Another.')
    expect([told.knows(next('Yes?')), told.knows(next('Another.'))]).toEqual([false, true])
  })

  it('is unknown if the storage is damaged, and kept in the page if it is full', () => {
    const damaged = memory()
    damaged.setItem('nod:told-elsewhere', '[["a"],5,"{')
    expect(createPastedChats(damaged).knows(next('Yes?'))).toBe(false)
    const full = createPastedChats(memory(10))
    full.note(first, 'Yes?')
    expect(full.knows(next('Yes?'))).toBe(true)
  })
})

it('keeps pasted text by its question, until it is used', () => {
  const storage = memory()
  createPastedDrafts(storage).set([system, user('Hi')], 'half of a re')
  const again = createPastedDrafts(storage)
  expect([again.get([system, user('Hi')]), again.get([system, user('Ho')])]).toEqual(['half of a re', ''])
  again.set([system, user('Hi')], '')
  expect(createPastedDrafts(storage).get([system, user('Hi')])).toBe('')
})

describe('the model', () => {
  const config: BrowserModelConfig = {
    version: 1,
    id: 'browser/paste:any chat',
    kind: 'paste',
    name: 'any chat',
    label: 'Any chat',
    contextTokens: null,
    seesImages: false,
    server: null,
    options: {},
    addedAt: 0,
  }
  const tool = { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } } as never

  async function ask(runId: string, nativeTools: readonly never[] = []) {
    const pasteQueue = createPasteQueue()
    const abort = new AbortController()
    const model = await pasteKind.open(config, { servers: null as never, pasteQueue })
    let text = ''
    const write = (_: string, piece: string) => void (text += piece)
    const prompt = [system, user('Hi')]
    const end = requestReply(model, { prompt, nativeTools }, { runId, write, signal: abort.signal })
    return { pasteQueue, abort, end, text: () => text, prompt }
  }

  it('waits for the user, and writes the pasted text unchanged', async () => {
    const { pasteQueue, end, text, prompt } = await ask('r1')
    const reply = 'Sure.\r\n```json\n{"tool_calls":[]}\n```\n'
    expect(pasteQueue.waiting('r2')).toBeNull()
    const request = pasteQueue.waiting('r1')
    expect(request?.prompt).toEqual(prompt)
    request?.answer(reply)
    request?.answer('again')
    expect(await end).toMatchObject({ outcome: 'finished', failure: null })
    expect(text()).toBe(reply)
    expect(pasteQueue.waiting('r1')).toBeNull()
  })

  it('reports that it waits before the request is shown', () => {
    const seen: string[] = []
    const queue = createPasteQueue((runId) => seen.push(runId))
    queue.subscribe(() => seen.push('shown'))
    void queue.ask({ runId: 'r1', prompt: [] })
    expect(seen).toEqual(['r1', 'shown'])
  })

  it('stops waiting when it is stopped', async () => {
    const { pasteQueue, abort, end } = await ask('r1')
    const seen: (string | null)[] = []
    pasteQueue.subscribe(() => seen.push(pasteQueue.waiting('r1')?.runId ?? null))
    abort.abort()
    expect(await end).toMatchObject({ outcome: 'stopped' })
    await Promise.resolve()
    expect([seen, pasteQueue.waiting('r1')]).toEqual([[null], null])
  })

  it('says that schemas can’t be pasted, if it is used with Native', async () => {
    const { end } = await ask('r1', [tool])
    expect((await end).failure?.detail).toContain('The call format Native')
  })
})

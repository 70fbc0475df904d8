import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExactModel, Manner } from '@/e2e/support/exact-server'
import type { BrowserModelConfig, BrowserModelPorts } from '@/lib/client/browser-models/browser-model'
import { configOfWeights } from '@/lib/client/browser-models/wllama/choice'
import { wllamaKindOn } from '@/lib/client/browser-models/wllama/kind'
import type { WllamaRunner } from '@/lib/client/browser-models/wllama/client'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies } from '@/lib/protocols/envelope-reply'
import { byTab, type ExactChats } from './testing/exact-ways'
import { openTabChats } from './testing/tab-chats'

// The behavior of each kind: exact-matrix.test.ts.

let store: Store
beforeAll(async () => {
  toolContextBuilder.learnWhole(envelopeReplies)
  // A manual clock: on a busy machine, a tab that writes many replies at once is silent for long.
  store = await openTestStore({ decodeSettings, now: () => 1_000_000 })
})
afterAll(() => store.close())

const right = 'I look.\n\n<tool_code>\n{"name":"read_file","arguments":{"path":"/a"}}\n</tool_code>'
const mended = "I look.\n\n<tool_code>\n{'name': 'read_file', 'arguments': {'path': '/a',}}\n</tool_code>"
const modelOf = (manner: Manner, field: ExactModel['field'] = 'grammar'): ExactModel => ({
  manner,
  field,
  bound: right,
  free: mended,
})

/** A user's own server with a model, `it`. */
async function withServer(
  model: ExactModel,
  work: (chats: ExactChats) => Promise<void>,
  kind: Parameters<typeof byTab>[2] = 'openai-compatible',
): Promise<void> {
  const chats = await byTab(store, { it: model }, kind)
  try {
    await work(chats)
  } finally {
    await chats.close()
  }
}

describe('a reply that a tab writes with the user’s own server', () => {
  it.each([{}, { exact: false }, { exact: true, strategy: 'Native' }, { exact: true, tools: 'off' }] as const)(
    'is requested without constraints in a chat with %o',
    (how) =>
      withServer(modelOf('honours'), async (chats) => {
        const plain = decodeSettings('{}').settings.tools
        const { tools, ...rest } = { tools: 'on', ...how }
        const settings: Partial<ConversationSettings> = { ...rest, tools: { ...plain, enabled: tools === 'on' } }
        const reply = await chats.ask('it', await chats.newChat('it', settings), null)
        expect(reply).toMatchObject({ outcome: 'finished', text: mended })
        expect(reply).not.toHaveProperty('exact')
        expect(chats.tries('it')).toEqual([])
        for (const field of ['grammar', 'structured_outputs', 'ebnf', 'response_format']) {
          expect(chats.asked('it')[0]).not.toHaveProperty(field)
        }
      }),
  )

  it('waits for one short test request, once', () =>
    withServer(modelOf('honours', 'ebnf'), async (chats) => {
      const id = await chats.newChat('it', { exact: true })
      const first = await chats.ask('it', id, null)
      expect(chats.exactOf('it')).toMatchObject({ takes: 'grammar', found: 'honoured' })
      await chats.ask('it', id, first.id)
      expect(chats.tries('it')).toHaveLength(3)
    }))

  it('stops testing once no form works, and marks the model so', () =>
    withServer(modelOf('ignores'), async (chats) => {
      const id = await chats.newChat('it', { exact: true })
      const first = await chats.ask('it', id, null)
      expect(chats.exactOf('it')).toMatchObject({ found: 'ignored' })
      await chats.ask('it', id, first.id)
      expect(chats.tries('it')).toHaveLength(3)
    }))
})

describe('a reply of a model that runs in this browser', () => {
  const source = { kind: 'kept', id: 'abc', name: 'tiny.gguf' } as const
  async function engine(write: (grammar: string | undefined) => string) {
    const grammars: (string | undefined)[] = []
    const runner: WllamaRunner = {
      load: () => Promise.reject(new Error('not asked')),
      isLoaded: () => true,
      isLoadedFrom: () => true,
      hasten: () => {},
      unload: () => {},
      write(_choice, _turns, { grammar }, onTold) {
        grammars.push(grammar)
        onTold({ kind: 'text', text: write(grammar) })
        return Promise.resolve({ reason: 'stop', read: 1, reused: 0, written: 1 })
      },
    }
    const config: BrowserModelConfig = configOfWeights({ source, contextTokens: null }, 7)
    const kind = wllamaKindOn(() => ({ file: () => Promise.resolve(new File([], 'x')), threads: 1, runner }))
    const model = await kind.open(config, {} as BrowserModelPorts)
    const tab = openTabChats(store, [config], () => Promise.resolve(model))
    return {
      grammars,
      exactOf: () => tab.exactOf(config.id),
      ask: async (settings: Partial<ConversationSettings> = {}) =>
        tab.ask(config.id, await tab.newChat(config.id, settings), null),
    }
  }
  const binds = (grammar: string | undefined) => (grammar === undefined ? mended : right)

  it('is constrained unless the chat disables it, without a test request', async () => {
    const tab = await engine(binds)
    expect(tab.exactOf()).toEqual({ takes: 'grammar', byDefault: true, found: 'honoured' })
    expect(await tab.ask()).toMatchObject({ text: right, exact: { is: 'honoured', form: 'grammar' } })
    const free = await tab.ask({ exact: false })
    expect(free).toMatchObject({ text: mended })
    expect(free).not.toHaveProperty('exact')
    expect(tab.grammars).toEqual([expect.stringMatching(/^root ::= [^]*read_file/), undefined])
  })

  it('does not blame the grammar if the request also fails without one', async () => {
    const tab = await engine(() => {
      throw new Error('the device is gone')
    })
    const reply = await tab.ask()
    expect(reply).toMatchObject({ outcome: 'failed', text: '' })
    expect(reply).not.toHaveProperty('exact')
    expect(tab.exactOf()).toMatchObject({ found: 'honoured' })
  })
})

describe('a reply of a browser model that accepts only a JSON schema', () => {
  const call = '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}'
  const whole = `[{"action":"text","text":"I look."},${call}]`
  const texts = { bound: whole, free: `I look.\n\n\`\`\`json\n${call}\n\`\`\`` }
  const chat = { strategy: 'JSON_Action', exact: true } as const
  const model = { ...modelOf('honours', 'response_format'), ...texts }

  it('is read as a whole, and as usual if the chat disables constraints', () =>
    withServer(
      model,
      async (chats) => {
        const reply = await chats.ask('it', await chats.newChat('it', chat), null)
        expect(reply).toMatchObject({ text: whole, reading: 'whole', exact: { is: 'honoured', form: 'json-schema' } })
        const plain = await chats.ask('it', await chats.newChat('it', { ...chat, exact: false }), null)
        expect(plain).not.toHaveProperty('reading')
      },
      'ollama',
    ))

  it('is detected on an unknown server, and constrained from the next reply on', () =>
    withServer(model, async (chats) => {
      const id = await chats.newChat('it', chat)
      const first = await chats.ask('it', id, null)
      expect(first).toMatchObject({ text: texts.free })
      expect(first).not.toHaveProperty('reading')
      expect(chats.exactOf('it')).toMatchObject({ takes: 'json-schema', found: 'honoured' })
      expect(await chats.ask('it', id, first.id)).toMatchObject({ reading: 'whole', exact: { is: 'honoured' } })
    }))
})

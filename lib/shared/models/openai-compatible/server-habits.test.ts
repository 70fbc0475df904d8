import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bothClocks } from '@/lib/base/clocks'
import { requestReply } from '@/lib/client/chats/tab-writer/request-reply'
import { lmStudioKind, ollamaKind, openAICompatibleKind } from '@/lib/client/browser-models/own-server/kinds'
import { createOwnServers } from '@/lib/client/browser-models/own-server/own-servers'
import { workerHere } from '@/lib/client/browser-models/own-server/testing/worker-here'
import { createPasteQueue } from '@/lib/client/browser-models/paste/paste-queue'
import type { BrowserModelKind } from '@/lib/client/browser-models/browser-model'
import { runModel } from '@/lib/server/runs/chat-service-run'
import type { Usage } from '@/lib/shared/conversation/conversation'
import { isNightly } from '@/scripts/test/nightly'
import { describeFailure } from '../failure'
import type { ModelFailure, ModelProvider } from '../model'
import { createOllamaProvider } from '@/lib/server/models/ollama/index'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { testTools } from '@/lib/protocols/testing/tools'
import { chunkHabits } from '../testing/server-habits/chunks'
import { endHabits } from '../testing/server-habits/ends'
import { errorHabits } from '../testing/server-habits/errors'
import { framingHabits } from '../testing/server-habits/framing'
import type { Expected, Habit } from '../testing/server-habits/habit'
import { nativeHabits } from '../testing/server-habits/native'
import { rarerChunkHabits } from '../testing/server-habits/rarer-chunks'
import { rarerEndHabits } from '../testing/server-habits/rarer-ends'
import { rarerErrorHabits } from '../testing/server-habits/rarer-errors'
import { rarerFramingHabits } from '../testing/server-habits/rarer-framing'
import { rarerNativeHabits } from '../testing/server-habits/rarer-native'
import { startHabitServer, type HabitServer } from '../testing/server-habits/server'
import { createOpenAICompatibleProvider } from './index'

/*
 * The behaviour of real servers, against all code here that talks to them: the server's providers, and the models that
 * a browser reaches. Each reply is followed over HTTP to what is shown and what may run.
 */

/** Longest silence: habits with signs of life write no text for longer. */
const STALL_MS = 3_000
const TEST_MS = 20_000

interface Reply {
  readonly text: string
  readonly reasoning: string
  readonly outcome: string
  readonly failure: ModelFailure | null
  readonly usage: Usage | null
}

type Ask = (habit: string, isNative: boolean) => Promise<Reply>

const clock = {
  ...bothClocks,
  after(ms: number, task: () => void) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

const prompt = [{ role: 'user' as const, content: 'hi' }]

const byProvider =
  (provider: () => ModelProvider): Ask =>
  async (habit, isNative) => {
    const said = { text: '', reasoning: '' }
    const end = await runModel({
      input: { instructions: '', messages: prompt, ...(isNative && { nativeTools: testTools }) },
      native: isNative,
      model: () => provider().languageModel(habit),
      write: (channel, text) => void (said[channel] += text),
      abort: new AbortController(),
      clock,
      stallMs: STALL_MS,
      describeFailure: (error, wrote) => describeFailure(error, { label: 'M', providerLabel: 'Server' }, wrote),
      modelLabel: 'M',
    })
    return { ...said, ...end }
  }

const byBrowser =
  (kind: BrowserModelKind, address: () => string): Ask =>
  async (habit, isNative) => {
    const said = { text: '', reasoning: '' }
    const config = {
      version: 1,
      id: `browser/${kind.id}:m`,
      kind: kind.id,
      name: habit,
      label: 'M',
      contextTokens: null,
      seesImages: false,
      server: { address: address(), key: null },
      options: {},
      addedAt: 0,
    } as const
    const ports = { servers: createOwnServers(() => workerHere()), pasteQueue: createPasteQueue() }
    const end = await requestReply(
      await kind.open(config, ports),
      {
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
        nativeTools: isNative ? testTools : [],
      },
      {
        runId: 'r',
        write: (channel, text) => void (said[channel] += text),
        signal: new AbortController().signal,
      },
    )
    return { ...said, ...end }
  }

const textHabits = { ...framingHabits, ...chunkHabits, ...endHabits, ...errorHabits }
const rarerTextHabits = { ...rarerFramingHabits, ...rarerChunkHabits, ...rarerEndHabits, ...rarerErrorHabits }
let server: HabitServer
beforeAll(async () => {
  server = await startHabitServer({ ...textHabits, ...rarerTextHabits, ...nativeHabits, ...rarerNativeHabits })
})
afterAll(() => server.close())

const ports = { fetch: globalThis.fetch, monotonic: () => 0 }
const ways: Readonly<Record<string, Ask>> = {
  'a server that Nod is set up for': byProvider(() =>
    createOpenAICompatibleProvider(
      {
        kind: 'openai-compatible',
        id: 'own',
        label: 'Server',
        baseUrl: `${server.origin}/v1`,
        apiKey: null,
        models: null,
      },
      ports,
    ),
  ),
  Ollama: byProvider(() =>
    createOllamaProvider(
      { kind: 'ollama', id: 'ollama', label: 'Server', baseUrl: server.origin, silent: false },
      ports,
    ),
  ),
  'a server that the browser reaches': byBrowser(openAICompatibleKind, () => `${server.origin}/v1`),
  'Ollama that the browser reaches': byBrowser(ollamaKind, () => server.origin),
  'LM Studio that the browser reaches': byBrowser(lmStudioKind, () => server.origin),
}

type Facts = Omit<Reply, 'usage'> & { readonly usage?: Usage | null }

const factsOf = ({ outcome, failure, text, reasoning, usage }: Facts) => ({
  outcome,
  says: failure?.message ?? '',
  detail: failure?.detail ?? '',
  text,
  reasoning,
  usage: [usage?.inputTokens ?? null, usage?.outputTokens ?? null],
})

const factsFrom = ({ text = '', reasoning = '', outcome = 'finished', says, detail, usage }: Expected) => ({
  outcome,
  says: says === undefined ? '' : expect.stringContaining(says),
  detail: detail === undefined ? expect.any(String) : expect.stringContaining(detail),
  text,
  reasoning,
  usage: usage ?? expect.any(Array),
})

/** The text and the calls of a text with frames in it. */
function readNative(reply: Reply) {
  const { segments } = toolContextBuilder.parseResponse('Native', reply.text, testTools)
  const calls = segments.flatMap((segment) =>
    segment.kind === 'call' && segment.standing === 'live' && segment.problem === null && reply.outcome === 'finished'
      ? [`${segment.name}(${JSON.stringify(segment.arguments)})`]
      : [],
  )
  const prose = segments.filter(({ kind }) => kind === 'text').map(({ start, end }) => reply.text.slice(start, end))
  return { calls, text: prose.join('') }
}

/** All ways share one reader: each tries the usual habits, and these alone the rarer ones, except in nightly runs. */
const waysForRarer = new Set(['a server that Nod is set up for', 'Ollama that the browser reaches'])

describe.each(Object.entries(ways))('%s', (way, ask) => {
  const isForRarer = isNightly || waysForRarer.has(way)
  const rows = (habits: Readonly<Record<string, Habit>>) =>
    Object.entries(habits).map(([name, habit]) => [habit.does, name, habit.expected] as const)

  // Habits take their time, and each has its own connection: they are tested in parallel.
  it.concurrent.each(rows(isForRarer ? { ...textHabits, ...rarerTextHabits } : textHabits))(
    'that %s',
    async (_does, name, expected) => {
      expect(factsOf(await ask(name, false))).toEqual(factsFrom(expected))
    },
    TEST_MS,
  )

  it.concurrent.each(rows(isForRarer ? { ...nativeHabits, ...rarerNativeHabits } : nativeHabits))(
    'that %s',
    async (_does, name, { calls, ...expected }) => {
      const reply = await ask(name, true)
      const { text, calls: found } = readNative(reply)
      expect(factsOf({ ...reply, text })).toEqual(factsFrom(expected))
      expect(found).toEqual(calls ?? [])
    },
    TEST_MS,
  )
})

it('covers the habits of real servers', () => {
  const all = [textHabits, rarerTextHabits, nativeHabits, rarerNativeHabits]
  expect(all.flatMap((habits) => Object.keys(habits)).length).toBeGreaterThan(240)
})

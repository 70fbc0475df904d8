import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { garbled, type ExactModel, type Manner } from '@/e2e/support/exact-server'
import type { AssistantMessage, ConversationSettings } from '@/lib/shared/conversation/conversation'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { ExactForm } from '@/lib/shared/models/exact/exact-forms'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies } from '@/lib/protocols/envelope-reply'
import { byChrome, byEngine, byServer, byTab, type ExactChats } from './testing/exact-ways'

/* Each kind of constrained decoding, with a model for each possible behavior. */

let store: Store
beforeAll(async () => {
  toolContextBuilder.learnWhole(envelopeReplies)
  // A manual clock: on a busy machine, a tab that writes many replies at once is silent for long.
  store = await openTestStore({ decodeSettings, now: () => 1_000_000 })
})
afterAll(() => store.close())

const texts = {
  XML_Tag: {
    bound: 'I look.\n\n<tool_code>\n{"name":"read_file","arguments":{"path":"/a"}}\n</tool_code>',
    free: "I look.\n\n<tool_code>\n{'name': 'read_file', 'arguments': {'path': '/a',}}\n</tool_code>",
  },
  JSON_Action: {
    bound: '[{"action":"text","text":"I look."},{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}]',
    free: 'I look.\n\n```json\n{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}\n```',
  },
} as const

interface Way {
  readonly form: ExactForm
  readonly field: ExactModel['field']
  /** As that server reports it. */
  readonly refusal: { readonly status: number; readonly body: string }
  readonly open: (models: Readonly<Record<string, ExactModel>>) => Promise<ExactChats>
  /** Its capabilities are unknown: each form is tried. */
  readonly isUnknown?: true
}

const error = (message: string) => JSON.stringify({ error: { message } })
const grammarless = { status: 400, body: error('Failed to parse grammar') }
const noXgrammar = {
  status: 400,
  body: '{"object":"error","message":"Invalid grammar request: EBNF is not supported"}',
}
const vllmSays = { status: 400, body: error('Grammar error: Unknown format: uri') }
const noSchema = { status: 400, body: `{"error":"'response_format.type' must be 'json_schema' or 'text'"}` }
const ollamaSays = { status: 500, body: error('invalid JSON schema in format') }

const ways: Readonly<Record<string, Way>> = {
  'llama.cpp': {
    form: 'grammar',
    field: 'grammar',
    refusal: grammarless,
    open: (models) => byServer(store, models, 'llama.cpp'),
  },
  vLLM: {
    form: 'structured-outputs',
    field: 'structured_outputs',
    refusal: vllmSays,
    open: (models) => byServer(store, models, 'vllm'),
  },
  SGLang: { form: 'ebnf', field: 'ebnf', refusal: noXgrammar, open: (models) => byServer(store, models, 'sglang') },
  'LM Studio': {
    form: 'json-schema',
    field: 'response_format',
    refusal: noSchema,
    open: (models) => byServer(store, models, 'lm-studio'),
  },
  'Ollama by its name': {
    form: 'json-schema',
    field: 'response_format',
    refusal: ollamaSays,
    open: (models) => byServer(store, models, 'ollama'),
  },
  'Ollama as it is found': {
    form: 'json-schema',
    field: 'response_format',
    refusal: ollamaSays,
    open: (models) => byServer(store, models, 'ollama itself'),
  },
  'a server of no name, by grammar': {
    form: 'grammar',
    field: 'grammar',
    refusal: grammarless,
    isUnknown: true,
    open: (models) => byServer(store, models, null),
  },
  'a server of the person’s own, by grammar': {
    form: 'grammar',
    field: 'grammar',
    refusal: grammarless,
    isUnknown: true,
    open: (models) => byTab(store, models, 'openai-compatible'),
  },
  'a server of the person’s own, by structured outputs': {
    form: 'structured-outputs',
    field: 'structured_outputs',
    refusal: vllmSays,
    isUnknown: true,
    open: (models) => byTab(store, models, 'openai-compatible'),
  },
  'a server of the person’s own, by EBNF': {
    form: 'ebnf',
    field: 'ebnf',
    refusal: noXgrammar,
    isUnknown: true,
    open: (models) => byTab(store, models, 'openai-compatible'),
  },
  'LM Studio from a tab': {
    form: 'json-schema',
    field: 'response_format',
    refusal: noSchema,
    open: (models) => byTab(store, models, 'lm-studio'),
  },
  'Ollama from a tab': {
    form: 'json-schema',
    field: 'response_format',
    refusal: ollamaSays,
    open: (models) => byTab(store, models, 'ollama'),
  },
  'the model of the browser': {
    form: 'response-constraint',
    field: 'responseConstraint',
    refusal: { status: 400, body: 'the schema is not supported' },
    open: (models) => byChrome(store, models),
  },
  'llama.cpp in the page': {
    form: 'grammar',
    field: 'grammar',
    refusal: grammarless,
    open: (models) => byEngine(store, models),
  },
}

const manners = (way: Way) =>
  ({
    honours: 'honours',
    ignores: 'ignores',
    'lets go of long ones': 'fails-open',
    'goes on behind it': 'overruns',
    'refuses it in replies': { ...way.refusal, grammarOf: 'replies' },
    'refuses it': way.refusal,
    'refuses it midway': { midway: error('failed to parse grammar') },
    garbles: 'garbles',
    'has no room': 'runs-out',
  }) as const satisfies Readonly<Record<string, Manner>>

type Doing = keyof ReturnType<typeof manners>

/** The results of two replies in one chat. */
interface Seen {
  /** For each reply: its constrained-decoding status; `nothing`: it was reported before. */
  readonly is: readonly (AssistantMessage['exact'] extends infer E
    ? E extends { is: infer I }
      ? I | 'nothing'
      : never
    : never)[]
  /** For each reply's request: whether the field was in it. */
  readonly asked: readonly ('with' | 'without')[]
  readonly text: 'bound' | 'free' | 'bound and a sign' | 'cut'
  readonly outcome: AssistantMessage['outcome']
  /** The status in the model list afterwards. */
  readonly found: string
}

const kept: Seen = {
  is: ['honoured', 'honoured'],
  asked: ['with', 'with'],
  text: 'bound',
  outcome: 'finished',
  found: 'honoured',
}
const half: Seen = { ...kept, is: ['broken', 'broken'], text: 'free', found: 'half' }
/** A reply is called exact only if the server obeyed the constraint. */
const expected: Readonly<Record<Doing, Seen>> = {
  honours: kept,
  ignores: { ...kept, is: ['ignored', 'nothing'], asked: ['without', 'without'], text: 'free', found: 'ignored' },
  'lets go of long ones': half,
  'goes on behind it': half,
  'refuses it in replies': {
    ...kept,
    is: ['refused', 'nothing'],
    asked: ['with', 'without', 'without'],
    text: 'free',
    found: 'refused',
  },
  'refuses it': { ...kept, is: ['refused', 'nothing'], asked: ['without', 'without'], text: 'free', found: 'refused' },
  'refuses it midway': {
    ...kept,
    is: ['asked', 'refused'],
    asked: ['with', 'without'],
    outcome: 'failed',
    found: 'refused',
  },
  garbles: { ...kept, is: ['asked', 'asked'], text: 'bound and a sign' },
  'has no room': { ...kept, text: 'cut', outcome: 'length' },
}

/** Where a way can't show a behavior, or shows it differently. */
const otherwise: Readonly<Record<string, Partial<Record<Doing, Partial<Seen> | null>>>> = {
  // One engine in one version: an ignored grammar is a bug, and shows in each reply.
  'llama.cpp in the page': {
    ignores: half,
    'refuses it': { asked: ['with', 'without', 'without'] },
  },
  // It never reports a lack of space.
  'the model of the browser': { 'has no room': null },
}

async function see(way: Way, chats: ExactChats, doing: Doing, settings: Partial<ConversationSettings>): Promise<Seen> {
  const { bound, free } = texts[strategyOf(way)]
  const chat = await chats.newChat(doing, settings)
  const first = await chats.ask(doing, chat, null)
  const second = await chats.ask(doing, chat, first.id)
  const known = new Map([
    [bound, 'bound'],
    [free, 'free'],
    [garbled(bound), 'bound and a sign'],
    [bound.slice(0, Math.ceil(bound.length / 2)), 'cut'],
  ] as const)
  for (const { exact } of [first, second]) {
    if (exact && exact.is !== 'refused' && exact.is !== 'ignored') expect(exact.form).toBe(way.form)
  }
  const text = known.get(first.text)
  if (text === undefined) throw new Error(`${doing}: ${first.text}`)
  return {
    is: [first, second].map(({ exact }) => exact?.is ?? 'nothing'),
    asked: chats.asked(doing).map((request) => (way.field in request ? 'with' : 'without')),
    text,
    outcome: first.outcome,
    found: chats.exactOf(doing)?.found ?? 'nothing',
  }
}

const strategyOf = ({ field }: Way) =>
  field === 'response_format' || field === 'responseConstraint' ? 'JSON_Action' : 'XML_Tag'

/** If one form is refused and others are ignored, the last tried one is reported: users need no distinction. */
const alike = (seen: Seen): Seen => ({
  ...seen,
  is: seen.is.map((is) => (is === 'refused' ? 'ignored' : is)),
  found: seen.found === 'refused' ? 'ignored' : seen.found,
})

describe('a model with constrained decoding', () => {
  it.each(Object.keys(ways))('by %s is called exact only if it obeys the constraint', async (name) => {
    const way = ways[name] as Way
    const odd = otherwise[name] ?? {}
    const doings = (Object.keys(expected) as Doing[]).filter((doing) => odd[doing] !== null)
    const strategy = strategyOf(way)
    const all = manners(way)
    const models = Object.fromEntries(
      doings.map((doing) => [doing, { manner: all[doing], field: way.field, ...texts[strategy] }]),
    )
    const chats = await way.open(models)
    try {
      const seen = await Promise.all(doings.map((doing) => see(way, chats, doing, { strategy, exact: true })))
      const same = way.isUnknown ? alike : (one: Seen) => one
      expect(Object.fromEntries(doings.map((doing, at) => [doing, same(seen[at] as Seen)]))).toEqual(
        Object.fromEntries(doings.map((doing) => [doing, same({ ...expected[doing], ...odd[doing] })])),
      )
      // Its behavior is tested once, and only its own field constrains it.
      if (!way.isUnknown) expect(chats.tries('honours').length).toBeLessThanOrEqual(1)
      for (const request of chats.asked('honours')) {
        const fields = ['grammar', 'structured_outputs', 'ebnf', 'response_format', 'responseConstraint', 'format']
        expect(fields.filter((field) => field in request)).toEqual([way.field])
        expect(JSON.stringify(request[way.field])).toContain('read_file')
      }
    } finally {
      await chats.close()
    }
  })
})

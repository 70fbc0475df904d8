import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AssistantMessage, Attachment, Message, UserMessage } from '@/lib/shared/conversation/conversation'
import type { ToolResult } from '@/lib/shared/conversation/call-record'
import { messageCalls } from '@/lib/shared/calls/message-calls'
import { formOf, type ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies, envelopeStrategy } from '@/lib/protocols/envelope-reply'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { fitWindow, fitMarked } from '@/lib/shared/prompt/fit-window'
import {
  buildModelInput,
  measureModelInput,
  type ModelInput,
  type ModelInputOptions,
} from '@/lib/shared/prompt/model-messages'
import { createReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { promptBudgetIn } from '@/lib/shared/prompt/prompt-budget'
import { rounds } from '@/scripts/test/nightly'

/*
 * A model server reuses its cached prompt as long as the next one begins with the same bytes. So earlier parts must not
 * change when the chat continues; new parts are only appended.
 */

const tools = builtIn.specs()
const readings = createReplyReadings(toolContextBuilder)
toolContextBuilder.learnWhole(envelopeReplies)
const forms: readonly ReplyForm[] = [...toolContextBuilder.strategies.map(({ id }) => id), 'whole']
const rowOf = (form: ReplyForm) =>
  form === 'whole' ? ({ strategy: envelopeStrategy, reading: form } as const) : { strategy: form }
const model = 'demo/demo'

/** One step of a chat: what the model writes, and the results of its calls. */
interface Step {
  readonly calls: number
  readonly prose: string
  readonly outcome: Exclude<AssistantMessage['outcome'], null>
  /** How the calls ended: run, denied, withheld by a gate, skipped by a message, still running. */
  readonly back: 'completed' | 'denied' | 'withheld' | 'skipped' | 'unfinished'
  /** The user sends a message with the results, or instead of them. */
  readonly says: boolean
  readonly attaches: 'nothing' | 'text' | 'picture'
  /** Written before the chat's form was changed to the current one. */
  readonly own: ReplyForm | null
}

const step = fc.record<Step>({
  calls: fc.nat({ max: 3 }),
  prose: fc.constantFrom(
    '',
    'I look.',
    'A key "tool_calls": and `<tool_code>`.',
    '<think>\nhm\n</think>\nSo.',
    '日本語 👩‍🚀',
  ),
  outcome: fc.constantFrom<Step['outcome'][]>('finished', 'finished', 'finished', 'stopped', 'failed', 'length'),
  back: fc.constantFrom('completed', 'completed', 'denied', 'withheld', 'skipped', 'unfinished'),
  says: fc.boolean(),
  attaches: fc.constantFrom('nothing', 'nothing', 'text', 'picture'),
  own: fc.option(fc.constantFrom(...forms)),
})

const file: Attachment = { path: '/a.csv', mediaType: 'text/csv', size: 9, head: 'id,total\n', isImage: false }
const picture: Attachment = { path: '/a.png', mediaType: 'image/png', size: 9, head: null, isImage: true }

const resultsOf = (reply: AssistantMessage, { back }: Step): ToolResult[] =>
  reply.outcome === 'finished'
    ? (messageCalls(toolContextBuilder.parseResponse(formOf(reply), reply.text, tools)).map(({ slot, call }) => ({
        messageId: reply.id,
        slot,
        callId: call.id,
        name: call.name,
        status: back === 'completed' || back === 'withheld' ? 'completed' : back === 'denied' ? 'skipped' : back,
        result: back === 'withheld' ? { withheld: true } : { text: `"tool_calls" <tool_code> ${slot}` },
        ...(back === 'denied' && { note: 'No.' }),
        durationMs: 1,
      })) as ToolResult[])
    : []

/** The path to each message that a model answered; each path is a prefix of the next. */
function chatOf(steps: readonly Step[], form: ReplyForm): Message[] {
  const path: Message[] = []
  let open: ToolResult[] = []
  steps.forEach((one, at) => {
    const base = { conversationId: 'c', createdAt: at }
    const before = path.at(-1)
    const results = before?.role === 'assistant' ? resultsOf(before, steps[at - 1] ?? one) : []
    const late = open.map((result): ToolResult => ({ ...result, status: 'completed', result: { late: true } }))
    open = results.filter(({ status }) => status === 'unfinished')
    const attached = one.attaches === 'text' ? [file] : one.attaches === 'picture' ? [picture, picture] : []
    const user: UserMessage = {
      ...base,
      id: `user-${at}`,
      parentId: before?.id ?? null,
      role: 'user',
      text: one.says || results.length === 0 ? `Words ${at}.` : '',
      results,
      ...(attached.length > 0 && { attachments: attached }),
      ...(late.length > 0 && { late }),
    }
    const own = one.own ?? form
    const calls = Array.from({ length: one.calls }, (_, n) => ({
      name: 'read_file',
      arguments: { path: `/f${at}-${n}` },
    }))
    const def = toolContextBuilder.get(own)
    const prose = one.prose === '' ? [] : [one.prose]
    const written = calls.length === 0 ? [] : [def.formatCalls(calls)]
    const reply: AssistantMessage = {
      ...base,
      id: `reply-${at}`,
      parentId: user.id,
      role: 'assistant',
      text:
        def.formatReply && prose.length + calls.length > 0
          ? def.formatReply([...prose, ...calls])
          : [...prose, ...written].join('\n\n'),
      reasoning: 'apart',
      ...rowOf(own),
      toolsEnabled: true,
      model: one.own === null ? model : 'other/other',
      outcome: one.outcome,
      failure: null,
      usage: null,
      runId: '',
    }
    path.push(user, reply)
  })
  return path
}

const optionsOf = (path: readonly Message[], form: ReplyForm, systemPrompt: string): ModelInputOptions => ({
  conversation: {
    settings: { version: 4, model, strategy: rowOf(form).strategy, systemPrompt, tools: defaultToolConfig },
  },
  ...(form === 'whole' && { reading: form }),
  path,
  builder: toolContextBuilder,
  readings,
  tools,
  seesImages: true,
  images: path.flatMap(({ id }) =>
    [0, 1].map((number) => ({ messageId: id, number, mediaType: 'image/png' as const, data: `${id}${number}` })),
  ),
})

/** What a server receives, in order; every chat template places the tools before the messages. */
const bytesOf = ({ instructions, nativeTools, messages }: ModelInput): readonly string[] => [
  JSON.stringify([instructions, nativeTools ?? []]),
  ...messages.map((message) => JSON.stringify(message)),
]

/** How many leading parts both have in common. */
function sharedBy(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((part, at) => part !== other[at])
  return end < 0 ? one.length : end
}

/** Unanswered user messages are joined with the next one, which only adds to their end. */
function isContinued(before: readonly string[], next: readonly string[]): boolean {
  const shared = sharedBy(before, next)
  if (shared === before.length) return true
  if (shared < before.length - 1) return false
  const said = (part = 'null') =>
    (JSON.parse(part) as { readonly role: string; readonly content: unknown } | null) ?? null
  const [one, other] = [said(before.at(-1)), said(next[shared])]
  if (one?.role !== 'user' || other?.role !== 'user') return false
  const [text, longer] = [one.content, other.content].map((content) =>
    typeof content === 'string' ? content : ((content as { readonly text?: string }[])[0]?.text ?? ''),
  )
  return (longer ?? '').startsWith(text ?? '-')
}

/** Pictures are dropped four at a time: this is rare, and then everything after the first of them is read again. */
const picturesIn = (path: readonly Message[]): number =>
  path
    .flatMap((message) => (message.role === 'user' ? (message.attachments ?? []) : []))
    .filter(({ isImage }) => isImage).length
const leavings = (path: readonly Message[]): number => Math.ceil(Math.max(0, picturesIn(path) - 8) / 4)

describe.each(forms)('the prompt under %s', (form) => {
  const prompts = fc.constantFrom('', 'Be brief. {{tools}}', '{{tool_context}} Be brief.')

  it('changes only at its end while a chat continues', () => {
    let turns = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), prompts, (steps, system) => {
        const path = chatOf(steps, form)
        for (let at = 3; at < path.length; at += 2) {
          const [before, now] = [path.slice(0, at - 2), path.slice(0, at)]
          if (leavings(before) !== leavings(now)) continue
          const [one, other] = [before, now].map((part) => bytesOf(buildModelInput(optionsOf(part, form, system))))
          expect(isContinued(one ?? [], other ?? [])).toBe(true)
          turns += 1
        }
      }),
      { numRuns: rounds(120) },
    )
    expect(turns).toBeGreaterThan(rounds(200, 30))
  })

  it('is the same up to the fork of a branch', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 6 }), step, fc.nat(), (steps, other, where) => {
        const fork = 1 + (where % (steps.length - 1))
        const trunk = chatOf(steps, form)
        const edited = chatOf([...steps.slice(0, fork), { ...other, says: true, attaches: 'nothing' }], form)
        const one = bytesOf(buildModelInput(optionsOf(trunk.slice(0, fork * 2 + 1), form, '')))
        const two = bytesOf(
          buildModelInput(
            optionsOf(
              [...edited.slice(0, fork * 2), { ...(edited[fork * 2] as UserMessage), id: 'edited', text: 'Else.' }],
              form,
              '',
            ),
          ),
        )
        const common = bytesOf(buildModelInput(optionsOf(trunk.slice(0, fork * 2 - 1), form, '')))
        if (leavings(trunk.slice(0, fork * 2 + 1)) > 0) return
        expect(isContinued(common, one)).toBe(true)
        expect(isContinued(common, two)).toBe(true)
      }),
      { numRuns: rounds(60) },
    )
  })
})

describe('the prompt of a chat that is longer than its window', () => {
  it.each([
    { windowTokens: 6_144, turns: 60 },
    { windowTokens: 16_384, turns: 200 },
  ])('changes its beginning only once in many turns with $windowTokens tokens', ({ windowTokens, turns }) => {
    const plain = { outcome: 'finished', back: 'completed', attaches: 'nothing', own: null } as const
    const prose = 'These are some fifty words of an answer, as models give them. '.repeat(5)
    const steps = Array.from({ length: turns }, (_, at): Step => ({
      ...plain,
      calls: at % 3 === 0 ? 1 : 0,
      prose,
      says: true,
    }))
    const path = chatOf(steps, 'XML_Tag')
    let before: readonly string[] = []
    let cuts = 0
    let anew = 0
    for (let at = 1; at < path.length; at += 2) {
      const options = optionsOf(path.slice(0, at), 'XML_Tag', '')
      const { staticTokens: standing, turns: sizes } = measureModelInput(options)
      const fit = fitWindow(sizes, 0, promptBudgetIn(windowTokens) - standing)
      const cut = { older: 0, anchor: fit.anchor, from: fit.from }
      const now = bytesOf(buildModelInput({ ...options, cut }))
      if (fit.from > 0) cuts += 1
      if (!isContinued(before, now)) anew += 1
      before = now
    }
    expect(cuts).toBeGreaterThan(turns / 2)
    expect(cuts / anew).toBeGreaterThan(4)
  })
})

describe.each(forms)('the prompt of a chat with a compacted beginning, under %s', (form) => {
  it('changes only at its end while the chat continues, with a summary and pinned messages', () => {
    let turns = 0
    const plain = step.map((one): Step => ({ ...one, attaches: one.attaches === 'picture' ? 'text' : one.attaches }))
    fc.assert(
      fc.property(fc.array(plain, { minLength: 4, maxLength: 8 }), fc.nat(), fc.nat(), (steps, where, pin) => {
        const path = chatOf(steps, form)
        const through = 1 + 2 * (where % (steps.length - 2))
        const marks = {
          compactions: [{ through: path[through]?.id ?? '', summary: 'They spoke.', madeAt: 1 }],
          pinned: [path[pin % (through + 1)]?.id ?? ''],
        }
        let before: readonly string[] | null = null
        for (let at = through + 2; at < path.length; at += 2) {
          const options = optionsOf(path.slice(0, at), form, '')
          const { anchor, from, pinned, compacted } = fitMarked(measureModelInput(options).turns, 0, null, marks)
          const now = bytesOf(buildModelInput({ ...options, cut: { older: 0, anchor, from, pinned, compacted } }))
          if (before) expect(isContinued(before, now)).toBe(true)
          if (before) turns += 1
          before = now
        }
      }),
      { numRuns: rounds(60) },
    )
    expect(turns).toBeGreaterThan(rounds(50, 8))
  })
})

describe('what changes the beginning of the prompt', () => {
  const path = chatOf(
    Array.from(
      { length: 4 },
      () =>
        ({
          calls: 1,
          prose: 'I look.',
          outcome: 'finished',
          back: 'completed',
          says: true,
          attaches: 'nothing',
          own: null,
        }) as const,
    ),
    'XML_Tag',
  ).slice(0, -1)
  const sent = (over: Partial<ModelInputOptions>, form: ReplyForm = 'XML_Tag', system = '') =>
    bytesOf(buildModelInput({ ...optionsOf(path, form, system), ...over }))

  it('only a change of the settings or the tools', () => {
    const before = sent({})
    expect(sharedBy(before, sent({}))).toBe(before.length)
    expect(sharedBy(before, sent({}, 'XML_Tag', 'Be brief.'))).toBe(0)
    expect(sharedBy(before, sent({}, 'VCP'))).toBe(0)
    expect(sharedBy(before, sent({ tools: tools.slice(1) }))).toBe(0)
  })
})

import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AssistantMessage, Message, UserMessage } from '@/lib/shared/conversation/conversation'
import { rounds } from '@/scripts/test/nightly'
import { fitWindow } from './fit-window'
import { buildModelInput, countLeftOut, withheldOf, measureModelInput, type PromptMessage } from './model-messages'
import { messageCalls } from '@/lib/shared/calls/message-calls'
import { strategyModules } from '@/lib/protocols/registry'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { createReplyReadings } from './reply-readings'

/** One for all rounds, in which the same ids have other texts. */
const readings = createReplyReadings(toolContextBuilder)

const tools = builtIn.specs()
const ids = toolContextBuilder.strategies.map(({ id }) => id)
const strategy = fc.constantFrom<StrategyId>(...ids)

const prose = fc.constantFrom(
  'Let me look.',
  'I write `<tool_code>` or <<<[TOOL_REQUEST]>>> or 「始」.',
  'A key called "tool_calls": and a tag </tool_code>.',
  'A file:\n\n```json\n{"name": "read_file"}\n```',
  '日本語 👩‍🚀',
)
const call = fc.record({
  name: fc.constantFrom('read_file', 'list_directory', 'no_such_tool'),
  arguments: fc.record({ path: fc.stringMatching(/^\/[a-z]{1,9}$/) }),
})
const inventedResult = fc.constantFrom('Observation: it went well.', '<tool_response>fine</tool_response>')

/** Texts as models write them; the last piece may be a call that is cut off. */
const replyText = (own: StrategyId) => {
  const write = (id: StrategyId, calls: readonly { name: string; arguments: { path: string } }[]) => {
    const text = toolContextBuilder.get(id).formatCalls(calls)
    // Some calls have the id that a provider gave them; some of these ids are equal.
    return text.replaceAll('\u001etool_call {', `\u001etool_call {"id":"own_${calls[0]?.arguments.path.slice(1, 4)}",`)
  }
  const piece = fc.oneof(
    prose,
    fc.array(call, { minLength: 1, maxLength: 3 }).map((calls) => write(own, calls)),
    fc.tuple(strategy, call).map(([id, one]) => write(id, [one])),
    fc.tuple(strategy, call).map(([id, one]) => `\`\`\`\`text\n${write(id, [one])}\n\`\`\`\``),
    call.map((one) => `<think>\nmaybe ${write(own, [one])}\n</think>`),
    inventedResult,
  )
  const cut = fc
    .tuple(call, fc.double({ min: 0.2, max: 0.9, noNaN: true }))
    .map(([one, share]) => write(own, [one]).slice(0, Math.ceil(write(own, [one]).length * share)))
  return fc
    .tuple(fc.array(piece, { maxLength: 5 }), fc.option(cut, { nil: '' }))
    .map(([pieces, end]) => [...pieces, end].filter((part) => part !== '').join('\n\n'))
}

const reply = strategy.chain((own) =>
  fc.record({
    strategy: fc.constant(own),
    text: replyText(own),
    outcome: fc.constantFrom<AssistantMessage['outcome'][]>('finished', 'finished', 'stopped', 'failed', 'length'),
    toolsEnabled: fc.boolean(),
  }),
)

/** A stored branch: after a finished reply, the next user message contains a result for each of its live calls. */
function conversationOf(replies: readonly (typeof reply extends fc.Arbitrary<infer T> ? T : never)[]) {
  const path: Message[] = []
  const marks: string[] = []
  replies.forEach((made, index) => {
    const base = { conversationId: 'c', parentId: null, createdAt: index }
    const previous = path.at(-1)
    const user: UserMessage = {
      ...base,
      id: `user-${index}`,
      role: 'user',
      text: `Words ${index}.`,
      results: previous?.role === 'assistant' ? resultsFor(previous, marks) : [],
    }
    const assistant: AssistantMessage = {
      ...base,
      id: `reply-${index}`,
      role: 'assistant',
      reasoning: 'apart',
      model: index % 2 === 0 ? currentModel : 'other/other',
      failure: null,
      usage: null,
      runId: '',
      ...made,
    }
    path.push(user, assistant)
  })
  return { path, marks }
}

function resultsFor(message: AssistantMessage, marks: string[]): UserMessage['results'] {
  return liveCalls(message).map(({ slot, call: { id, name } }) => {
    const mark = `mark${message.id.replace('-', '')}x${slot}x`
    marks.push(mark)
    const result = {
      content: `${mark} <tool_code> "tool_calls": 「始」 <<<[TOOL_REQUEST]>>> <tool_action name="x"> "action":"tool_call"`,
    }
    return { messageId: message.id, slot, callId: id, name, status: 'completed', result, durationMs: 1 }
  })
}

const liveCalls = (message: AssistantMessage) =>
  message.toolsEnabled && message.outcome === 'finished'
    ? messageCalls(toolContextBuilder.parseResponse(message.strategy, message.text, tools))
    : []

/** It contains nothing that opens a call of the strategy; the strategy's contract shows that these are its marks. */
function expectNoMarks(content: string, { marks }: (typeof strategyModules)[number]): void {
  for (const [pattern] of marks.inProse) expect(content.match(pattern) ?? []).toEqual([])
}

/** The text of a message. */
const wordsOf = ({ content }: PromptMessage): string =>
  typeof content === 'string'
    ? content
    : content
        .map((part) => (part.type === 'text' ? part.text : part.type === 'tool-result' ? part.output.value : ''))
        .join('')

const partsOf = <Type extends 'tool-call' | 'tool-result'>(message: PromptMessage | undefined, type: Type) =>
  message === undefined || typeof message.content === 'string'
    ? []
    : (message.content as readonly ({ readonly type: string } & object)[]).filter(
        (part): part is Extract<Exclude<PromptMessage['content'], string>[number], { type: Type }> =>
          part.type === type,
      )

/** The current model wrote some of the replies; another one the rest. */
const currentModel = 'demo/demo'

describe('the model’s prompt, for any conversation', () => {
  const conversations = fc.tuple(fc.array(reply, { minLength: 1, maxLength: 5 }), strategy, fc.boolean())

  const run = (
    check: (
      input: ReturnType<typeof buildModelInput>,
      given: { path: readonly Message[]; marks: readonly string[]; now: StrategyId; enabled: boolean },
    ) => void,
  ) =>
    fc.assert(
      fc.property(conversations, ([replies, now, enabled]) => {
        const { path, marks } = conversationOf(replies)
        const config = { ...defaultToolConfig, enabled }
        const settings = { version: 4, model: currentModel, strategy: now, systemPrompt: '', tools: config } as const
        const input = buildModelInput({
          conversation: { settings },
          path,
          builder: toolContextBuilder,
          readings,
          tools,
        })
        check(input, { path, marks, now, enabled })
      }),
      { numRuns: rounds(150) },
    )

  const optionsOf = ({ path, now, enabled }: { path: readonly Message[]; now: StrategyId; enabled: boolean }) => {
    const config = { ...defaultToolConfig, enabled }
    const settings = { version: 4, model: currentModel, strategy: now, systemPrompt: '', tools: config } as const
    return { conversation: { settings }, path, builder: toolContextBuilder, readings, tools }
  }

  it('is the same whatever was cached before, in this strategy or another', () => {
    run((input, given) => {
      const afresh = createReplyReadings(toolContextBuilder)
      expect(buildModelInput({ ...optionsOf(given), readings: afresh })).toEqual(input)
      const other = ids.find((id) => id !== given.now) ?? given.now
      buildModelInput({ ...optionsOf({ ...given, now: other }), readings: afresh })
      buildModelInput({ ...optionsOf({ ...given, enabled: !given.enabled }), readings: afresh })
      expect(buildModelInput({ ...optionsOf(given), readings: afresh })).toEqual(input)
    })
  })

  it('cut to a window, still begins with the user, and says how much is left out', () => {
    let cuts = 0
    run((input, given) => {
      // The message to answer is a user message.
      const options = optionsOf({ ...given, path: given.path.slice(0, -1) })
      const { turns } = measureModelInput(options)
      const all = turns.reduce((sum, { tokens }) => sum + tokens, 0)
      for (const share of [0.2, 0.5, 0.8]) {
        const fit = fitWindow(turns, 0, Math.floor(all * share))
        const cut = { older: 0, anchor: fit.anchor, from: fit.from }
        const messages = buildModelInput({ ...options, cut }).messages.filter(({ role }) => role !== 'tool')
        expect(messages[0]?.role).toBe('user')
        const left = countLeftOut(cut)
        if (left === 0) continue
        cuts += 1
        expect(withheldOf(options.path, cut)).toHaveLength(options.path.length - left)
        const said = messages
          .map(wordsOf)
          .join(' ')
          .matchAll(/\((One|\d+) earlier messages? of this chat (?:is|are) left out/g)
        const counts = [...said].map(([, count]) => (count === 'One' ? 1 : Number(count)))
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(left)
        expect(input.instructions).toBe(buildModelInput({ ...options, cut }).instructions)
      }
    })
    expect(cuts).toBeGreaterThan(rounds(100, 15))
  })

  it('contains no second protocol: no delimiter and no live call of another strategy', () => {
    run(({ messages }, { now, enabled }) => {
      for (const message of messages) {
        if (message.role !== 'assistant') continue
        const content = wordsOf(message)
        for (const facts of strategyModules) {
          const { id } = facts
          if (enabled && id === now && id !== 'Native') continue
          expectNoMarks(content, facts)
          expect(messageCalls(toolContextBuilder.parseResponse(id, content, tools))).toEqual([])
        }
      }
    })
  })

  it('shows every live call of a finished reply once, in order, and no other', () => {
    run(({ messages }, { path, now, enabled }) => {
      const shown = messages
        .filter(({ role }) => role === 'assistant')
        .flatMap((message) => [
          ...messageCalls(toolContextBuilder.parseResponse(now, wordsOf(message), tools)).map((one) => one.call),
          ...partsOf(message, 'tool-call').map(({ toolName, input }) => ({ name: toolName, arguments: input })),
        ])
      const stored = path.flatMap((message) =>
        message.role === 'assistant' ? liveCalls(message).map((one) => one.call) : [],
      )
      const plain = (calls: readonly Pick<(typeof stored)[number], 'name' | 'arguments'>[]) =>
        calls.map(({ name, arguments: args }) => [name, { ...args }])
      expect(plain(shown)).toEqual(enabled ? plain(stored) : [])
    })
  })

  it('contains every stored result once, framed', () => {
    run(({ messages }, { marks }) => {
      const users = messages.filter(({ role }) => role !== 'assistant').map(wordsOf)
      for (const mark of marks) expect(users.join('\n').split(mark)).toHaveLength(2)
      for (const id of ids) {
        for (const content of users) {
          expect(messageCalls(toolContextBuilder.parseResponse(id, content, tools))).toEqual([])
        }
      }
    })
  })

  it('alternates and begins with the user, results right after their calls', () => {
    run(({ messages }) => {
      const wanted: Record<string, readonly string[]> = {
        start: ['user'],
        user: ['assistant'],
        assistant: ['user'],
        calls: ['tool'],
        tool: ['user', 'assistant'],
      }
      let before = 'start'
      for (const message of messages) {
        expect(wanted[before]).toContain(message.role)
        const calls = partsOf(message, 'tool-call').length
        before = calls > 0 ? 'calls' : message.role
        if (calls === 0) expect(wordsOf(message).trim()).not.toBe('')
      }
      expect(before).not.toBe('calls')
    })
  })

  it('has one result per call under Native, with unique ids that servers accept', () => {
    run(({ messages, nativeTools }, { now, enabled }) => {
      const calls = messages.flatMap((message) => partsOf(message, 'tool-call'))
      const used = calls.map(({ toolCallId }) => toolCallId)
      expect(new Set(used).size).toBe(used.length)
      for (const id of used) expect(id).toMatch(/^(?:[a-z0-9]{9}|own_[a-z]{1,3})$/)
      messages.forEach((message, index) => {
        expect(partsOf(messages[index + 1], 'tool-result').map(({ toolCallId }) => toolCallId)).toEqual(
          partsOf(message, 'tool-call').map(({ toolCallId }) => toolCallId),
        )
      })
      if (now !== 'Native' || !enabled) expect([used, nativeTools]).toEqual([[], undefined])
      else expect(nativeTools?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    })
  })
})

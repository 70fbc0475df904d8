import { defaultToolConfig } from './tool-config'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AssistantMessage, Message, UserMessage } from './conversation'
import { buildModelInput } from './model-messages'
import { messageCalls } from '@/lib/tool-calls/message-calls'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { StrategyId } from '@/lib/strategies/tool-context-def'
import { toolRegistry } from '@/lib/tools/registry'

const tools = toolRegistry.specs()
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
  const write = (id: StrategyId, calls: readonly { name: string; arguments: { path: string } }[]) =>
    toolContextBuilder.get(id).formatCalls(calls)
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

/** A stored branch: after a finished reply, the next user message brings a result for each of its live calls. */
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
      model: 'demo/demo',
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
    ? messageCalls(toolContextBuilder.parse(message.strategy, message.text, tools))
    : []

const delimiters: Record<StrategyId, RegExp> = {
  JSON_Strict: /["']tool_calls["']\s*:/,
  XML_Tag: /<\s*\/?\s*tool_code/i,
  VCP: /<<\[(?:END_)?TOOL_REQUEST|「(?:始|末)」/,
  Tool_Action: /<\s*\/?\s*tool_action/i,
  JSON_Action: /["']action["']\s*:\s*["']tool_/,
}

describe('what the model is sent, for any conversation', () => {
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
        const settings = { version: 2, model: 'm', strategy: now, systemPrompt: '', tools: config } as const
        const input = buildModelInput({ conversation: { settings }, path, builder: toolContextBuilder, tools })
        check(input, { path, marks, now, enabled })
      }),
      { numRuns: 150 },
    )

  it('holds no second protocol: no delimiter and no live call of another strategy', () => {
    run(({ messages }, { now, enabled }) => {
      for (const { role, content } of messages) {
        if (role !== 'assistant') continue
        for (const id of ids) {
          if (enabled && id === now) continue
          expect(content).not.toMatch(delimiters[id])
          expect(messageCalls(toolContextBuilder.parse(id, content, tools))).toEqual([])
        }
      }
    })
  })

  it('shows every live call of a finished reply once, in order, and no other', () => {
    run(({ messages }, { path, now, enabled }) => {
      const shown = messages
        .filter(({ role }) => role === 'assistant')
        .flatMap(({ content }) => messageCalls(toolContextBuilder.parse(now, content, tools)))
      const stored = path.flatMap((message) => (message.role === 'assistant' ? liveCalls(message) : []))
      const plain = (calls: typeof shown) => calls.map(({ call: { name, arguments: args } }) => [name, { ...args }])
      expect(plain(shown)).toEqual(enabled ? plain(stored) : [])
    })
  })

  it('holds every stored result once, framed', () => {
    run(({ messages }, { marks }) => {
      const users = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
      for (const mark of marks) expect(users.join('\n').split(mark)).toHaveLength(2)
      for (const id of ids) {
        for (const content of users) {
          expect(messageCalls(toolContextBuilder.parse(id, content, tools))).toEqual([])
        }
      }
    })
  })

  it('alternates and begins with the user', () => {
    run(({ messages }) => {
      messages.forEach(({ role, content }, index) => {
        expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant')
        expect(content.trim()).not.toBe('')
      })
    })
  })
})

import { describe, expect, test } from 'vitest'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { toolRegistry } from '@/lib/tools/registry'
import type { Conversation, UserMessage } from '@/lib/conversation/conversation'
import { buildModelInput } from './model-messages'
import { defaultSettings } from '@/lib/conversation/settings'
import { defaultToolConfig } from '@/lib/conversation/tool-config'
import { describeTurn, macroWarnings, withToolContext } from './tool-macros'
import { createReplyReadings } from './reply-readings'

const user = (id: string, text: string): UserMessage => ({
  id,
  conversationId: 'c1',
  parentId: null,
  createdAt: 1,
  role: 'user',
  text,
  results: [],
})
const tools = [{ name: 'list_directory' }, { name: 'read_file' }]
const turn = (path: readonly UserMessage[], over: Partial<typeof defaultToolConfig> = {}) =>
  describeTurn({ config: { ...defaultToolConfig, ...over }, tools, path })

describe('the text of a turn', () => {
  test('names the tools, the approval and the rounds that are left', () => {
    expect(turn([user('a', 'hello')])).toBe(
      'In this turn these tools can be used: list_directory, read_file. The user is asked before every call. ' +
        '5 more rounds of calls can follow before the user is asked whether to go on.',
    )
    expect(turn([user('a', 'hello')], { mode: 'auto' })).toContain('Calls of tools that the user picked run at once')
  })

  test('counts rounds since the user’s last word, and anew after each permission to go on', () => {
    const rounds = (count: number) => [user('a', 'hi'), ...Array.from({ length: count }, (_, at) => user(`r${at}`, ''))]
    expect(turn(rounds(3))).toContain('2 more rounds')
    expect(turn(rounds(4))).toContain('One more round of calls can follow')
    expect(turn(rounds(5))).toContain('5 more rounds')
    expect(turn([...rounds(4), user('b', 'go on')])).toContain('5 more rounds')
    expect(turn([])).toContain('5 more rounds')
  })

  test('says so when no tools can be used', () => {
    expect(turn([], { enabled: false })).toBe('In this turn no tools can be used.')
    expect(describeTurn({ config: defaultToolConfig, tools: [], path: [] })).toBe('In this turn no tools can be used.')
  })
})

describe('withToolContext', () => {
  const facts = { config: defaultToolConfig, tools, path: [] }
  const splice = (rest: string) => rest.replace('{{tools}}', '[tools]')

  test('puts the text at the end, wherever the macro stands, once', () => {
    expect(withToolContext('{{tool_context}}A {{tools}} {{ tool_context }}', splice, facts)).toBe(
      `A [tools]\n\n${describeTurn(facts)}`,
    )
    expect(withToolContext('{{tool_context}}', splice, facts)).toBe(describeTurn(facts))
  })

  test('leaves a prompt without it alone, and what the tools themselves hold', () => {
    expect(withToolContext('Be brief.\n', splice, facts)).toBe('Be brief.\n')
    expect(withToolContext('x', () => 'a tool called {{tool_context}}', facts)).toBe('a tool called {{tool_context}}')
  })
})

test('what the model is sent differs from turn to turn only behind the tools', () => {
  const system = '{{tool_context}} Be brief. {{tools}}'
  const conversation: Pick<Conversation, 'settings'> = {
    settings: { ...defaultSettings('demo/demo'), systemPrompt: system },
  }
  const sent = (path: readonly UserMessage[]) =>
    buildModelInput({
      conversation,
      path,
      builder: toolContextBuilder,
      readings: createReplyReadings(toolContextBuilder),
      tools: toolRegistry.specs(),
    }).instructions
  const first = sent([user('a', 'hi')])
  const second = sent([user('a', 'hi'), user('b', '')])
  expect(first).not.toBe(second)
  const stable = toolContextBuilder.spliceSystemPrompt(' Be brief. {{tools}}', {
    strategy: 'JSON_Strict',
    tools: toolRegistry.specs(),
    enabled: true,
  })
  for (const text of [first, second]) expect(text.startsWith(`${stable.trimEnd()}\n\nIn this turn`)).toBe(true)
})

test('odd macros are told in sentences', () => {
  expect(macroWarnings('Be brief. {{tools}} {{ tool_context }}')).toEqual([])
  expect(macroWarnings('{{tool}} and {{Tools}} and {{tools}} {{ tools }}')).toEqual([
    '{{tool}} is no macro, so the model is sent it as it is written.',
    '{{Tools}} is no macro, so the model is sent it as it is written.',
    '{{tools}} stands here twice, so the model is told of the tools twice.',
  ])
  expect(macroWarnings('{{tool_context}}{{tool_context}}')).toEqual([
    '{{tool_context}} stands here more than once; its text is put at the end once.',
  ])
  expect(macroWarnings('no { braces } {{}} {{ }} {{\n}}')).toEqual([])
})

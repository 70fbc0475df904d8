import { describe, expect, test } from 'vitest'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import type { Conversation, UserMessage } from '@/lib/shared/conversation/conversation'
import { buildModelInput } from './model-messages'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { describeCalls, macros, macroWarnings, remainingRounds, withToolContext } from './tool-macros'
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
const calls = (over: Partial<typeof defaultToolConfig> = {}) =>
  describeCalls({ config: { ...defaultToolConfig, ...over }, tools })

describe('the text for calls', () => {
  test('names the tools, the approval and the rounds', () => {
    expect(calls()).toBe(
      'These tools can be used: list_directory, read_file. The user is asked before every call. ' +
        'After 5 rounds of calls the user is asked whether to go on.',
    )
    expect(calls({ mode: 'auto' })).toContain('Calls of tools that the user picked run at once')
    expect(calls({ maxIterations: 1 })).toContain('After each round of calls the user is asked')
  })

  test('says so if no tools can be used', () => {
    expect(calls({ enabled: false })).toBe('No tools can be used.')
    expect(describeCalls({ config: defaultToolConfig, tools: [] })).toBe('No tools can be used.')
  })
})

describe('the rounds that are left', () => {
  const result = {
    messageId: 'r',
    slot: 0,
    callId: 'c',
    name: 'read_file',
    status: 'completed',
    result: 1,
    durationMs: 1,
  } as const
  const round = (id: string): UserMessage => ({ ...user(id, ''), results: [result] })
  const facts = { config: defaultToolConfig, tools }
  const rounds = (count: number) => [user('a', 'hi'), ...Array.from({ length: count }, (_, at) => round(`r${at}`))]
  const left = (path: readonly UserMessage[]) => remainingRounds('{{tool_context}}', facts, path)

  test('count since the user’s last message, and again after each permission to continue', () => {
    expect(left(rounds(3))).toBe('(2 more rounds of calls can follow before the user is asked whether to go on.)')
    expect(left(rounds(4))).toContain('(One more round of calls can follow')
    expect(left(rounds(5))).toContain('(5 more rounds')
    expect(left([...rounds(4), user('b', 'go on'), round('c')])).toContain('(4 more rounds')
  })

  test('are sent with results only, if the prompt asks for it and tools are offered', () => {
    expect(left([user('a', 'hi')])).toBe('')
    expect(left([])).toBe('')
    expect(remainingRounds('Be brief.', facts, rounds(1))).toBe('')
    expect(remainingRounds('{{tool_context}}', { ...facts, tools: [] }, rounds(1))).toBe('')
  })
})

describe('withToolContext', () => {
  const facts = { config: defaultToolConfig, tools }
  const splice = (rest: string) => rest.replace('{{tools}}', '[tools]')

  test('puts the text at the end, wherever the macro is, once', () => {
    expect(withToolContext('{{tool_context}}A {{tools}} {{ tool_context }}', splice, facts)).toBe(
      `A [tools]\n\n${describeCalls(facts)}`,
    )
    expect(withToolContext('{{tool_context}}', splice, facts)).toBe(describeCalls(facts))
  })

  test('leaves a prompt without it alone, and the content of the tools', () => {
    expect(withToolContext('Be brief.\n', splice, facts)).toBe('Be brief.\n')
    expect(withToolContext('x', () => 'a tool called {{tool_context}}', facts)).toBe('a tool called {{tool_context}}')
  })
})

test('keeps the system prompt the same from turn to turn', () => {
  const conversation: Pick<Conversation, 'settings'> = {
    settings: { ...defaultSettings('demo/demo'), systemPrompt: '{{tool_context}} Be brief. {{tools}}' },
  }
  const sent = (path: readonly UserMessage[]) =>
    buildModelInput({
      conversation,
      path,
      builder: toolContextBuilder,
      readings: createReplyReadings(toolContextBuilder),
      tools: builtIn.specs(),
    }).instructions
  const first = sent([user('a', 'hi')])
  expect(sent([user('a', 'hi'), user('b', '')])).toBe(first)
  expect(first).toMatch(/Be brief\. [^]*\n\nThese tools can be used: [^\n]*$/)
})

test('reports odd macros in sentences', () => {
  expect(macroWarnings('Be brief. {{tools}} {{ tool_context }}')).toEqual([])
  expect(macroWarnings('{{tool}} and {{Tools}} and {{tools}} {{ tools }}')).toEqual([
    '{{tool}} is not a variable, so it is sent as it is.',
    '{{Tools}} is not a variable, so it is sent as it is.',
    '{{tools}} appears twice, so the tools are sent twice.',
  ])
  expect(macroWarnings('{{tool_context}}{{tool_context}}')).toEqual([
    '{{tool_context}} appears more than once. Its text is added once, at the end.',
  ])
  expect(macroWarnings('no { braces } {{}} {{ }} {{\n}}')).toEqual([])
})

test('describes a macro in the current language', async () => {
  const { speakTo } = await import('@/lib/base/text/languages')
  const english = macros.map(({ help }) => help())
  speakTo('zh-CN')
  const chinese = macros.map(({ help }) => help())
  speakTo('en')
  expect(english.every((text) => /[a-z]{2} [a-z]{2}/.test(text))).toBe(true)
  expect(chinese.every((text) => /\p{sc=Han}/u.test(text))).toBe(true)
})

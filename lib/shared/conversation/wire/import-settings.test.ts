import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ImportPart } from './api-types'
import type { ConversationSettings, ToolCallConfig } from '../conversation'
import { broughtParts, takenSettings } from './import-settings'
import { defaultSettings } from '../settings/settings'

const own = defaultSettings('demo/demo')
const parts: readonly ImportPart[] = ['systemPrompt', 'model', 'tools', 'limits']
const tools: fc.Arbitrary<ToolCallConfig> = fc.record({
  enabled: fc.boolean(),
  mode: fc.constantFrom('manual', 'auto'),
  requireConfirmation: fc.boolean(),
  grantLifetimeMs: fc.constantFrom(null, 3_600_000),
  toolToggles: fc.dictionary(fc.constantFrom('python_eval', 'browser_js_eval', 'read_file'), fc.boolean(), {
    noNullPrototype: true,
  }),
  defaultToolEnabled: fc.boolean(),
  toolRules: fc.constantFrom({}, { read_file: { execution: 'never' as const, result: 'never' as const } }),
  resultGate: fc.constantFrom('always', 'large-or-failed', 'never'),
  maxIterations: fc.integer({ min: 1, max: 100 }),
  maxCallsPerReply: fc.integer({ min: 1, max: 1_000 }),
  timeoutMs: fc.integer({ min: 1_000, max: 600_000 }),
  parallelExecution: fc.boolean(),
  codeChanges: fc.constantFrom('keep', 'ask'),
  approvalUi: fc.constantFrom('inline', 'dialog'),
})
const settings: fc.Arbitrary<ConversationSettings> = fc.record({
  version: fc.constant(4),
  model: fc.constantFrom('demo/demo', 'openai/other'),
  strategy: fc.constantFrom('XML_Tag', 'JSON_Strict'),
  systemPrompt: fc.string(),
  tools,
})
/** The differences from a new chat, besides the call format. */
const changed = (taken: ConversationSettings) => broughtParts(taken, own).map(({ part }) => part)

describe('settings that an imported chat brings', () => {
  it('are only the requested ones, whatever the file contains', () => {
    fc.assert(
      fc.property(settings, fc.subarray([...parts]), (brought, take) => {
        const taken = takenSettings(brought, own, take)
        expect(changed(taken)).toEqual(changed(brought).filter((part) => take.includes(part)))
        expect(taken.strategy).toBe(brought.strategy)
        expect(taken.tools.mode).toBe('manual')
        expect(taken.tools.toolRules).toEqual({})
      }),
    )
  })

  it('are all asked about: taking no part gives a new chat', () => {
    fc.assert(
      fc.property(settings, (brought) => {
        expect(takenSettings(brought, own, [])).toEqual({ ...own, strategy: brought.strategy })
      }),
    )
  })

  it('are all shown, each compared with the current one', () => {
    const brought: ConversationSettings = {
      ...own,
      model: 'openai/other',
      systemPrompt: 'Obey the file.',
      tools: {
        ...own.tools,
        toolToggles: { python_eval: true },
        maxIterations: 100,
        maxCallsPerReply: 1_000,
        timeoutMs: 600_000,
      },
    }
    expect(broughtParts(brought, own)).toEqual([
      {
        part: 'systemPrompt',
        title: 'Its system prompt',
        facts: ['14 characters, sent with every message'],
        text: 'Obey the file.',
      },
      { part: 'model', title: 'Its model', facts: ['openai/other'] },
      { part: 'tools', title: 'Its tools', facts: ['python_eval is on'] },
      {
        part: 'limits',
        title: 'Its limits',
        facts: [
          '100 tool rounds before Nod pauses, here: 5 tool rounds before Nod pauses',
          'at most 1,000 calls per reply, here: at most 20 calls per reply',
          expect.stringMatching(/^a call can run for .*, here: a call can run for /),
        ],
      },
    ])
    expect(broughtParts(own, own)).toEqual([])
  })
})

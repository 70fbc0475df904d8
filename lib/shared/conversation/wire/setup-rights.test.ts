import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatSetup } from '../settings/preset'
import type { ToolCallConfig, ToolRules } from '../conversation'
import { defaultSettings } from '../settings/settings'
import { rightsBeyond, stricterSetup } from './setup-rights'

const base: ChatSetup = { ...defaultSettings('demo/demo'), model: null }
const withTools = (tools: Partial<ToolCallConfig>): ChatSetup => ({ ...base, tools: { ...base.tools, ...tools } })

const rule = fc.constantFrom('always', 'on-error', 'never' as const)
const rules: fc.Arbitrary<ToolRules> = fc.oneof(
  fc.record({ execution: rule, result: rule }),
  fc.record({ execution: rule }),
  fc.record({ result: rule }),
)
const names = ['read_file', 'write_file', '__proto__', 'constructor', 'gone_tool'] as const
const setups = fc
  .record({
    mode: fc.constantFrom('manual', 'auto' as const),
    requireConfirmation: fc.boolean(),
    grantLifetimeMs: fc.constantFrom(null, 60_000, 3_600_000),
    toolRules: fc
      .array(fc.tuple(fc.constantFrom(...names), rules), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
    resultGate: fc.constantFrom('always', 'large-or-failed', 'never' as const),
    codeChanges: fc.constantFrom('keep', 'ask' as const),
    maxIterations: fc.integer({ min: 1, max: 100 }),
    maxCallsPerReply: fc.integer({ min: 1, max: 1000 }),
    timeoutMs: fc.integer({ min: 1, max: 600 }).map((seconds) => seconds * 1000),
  })
  .map(withTools)

describe('a foreign setup', () => {
  it('once restricted allows nothing beyond the current rights, whatever it says', () => {
    fc.assert(
      fc.property(setups, setups, (brought, own) => {
        const taken = stricterSetup(brought, own)
        expect(rightsBeyond(taken, own)).toEqual([])
        expect(stricterSetup(taken, own)).toEqual(taken)
        // Settings unrelated to permissions are kept.
        expect(taken).toMatchObject({ systemPrompt: brought.systemPrompt, strategy: brought.strategy })
      }),
      { numRuns: 300 },
    )
  })

  it('is named for each thing that it would allow, and for nothing else', () => {
    expect(rightsBeyond(base, base)).toEqual([])
    expect(rightsBeyond(withTools({ requireConfirmation: true, codeChanges: 'ask', maxIterations: 1 }), base)).toEqual(
      [],
    )
    const loose = withTools({
      mode: 'auto',
      toolRules: { write_file: { execution: 'never' }, read_file: { execution: 'always', result: 'never' } },
      maxIterations: 100,
      timeoutMs: 600_000,
    })
    expect(rightsBeyond(loose, base)).toEqual([
      { is: 'alone', tools: ['write_file'] },
      { is: 'mode' },
      { is: 'results' },
      { is: 'rounds', count: 100, here: 5 },
      { is: 'seconds', count: 600, here: 30 },
    ])
    const careful = withTools({
      requireConfirmation: true,
      resultGate: 'always',
      codeChanges: 'ask',
      grantLifetimeMs: 60_000,
    })
    expect(rightsBeyond(base, careful).map(({ is }) => is)).toEqual(['confirmation', 'remembers', 'results', 'code'])
  })

  it('keeps rules that take effect only when “every call waits” is turned off: turning it off later allows no more', () => {
    const hidden = withTools({ requireConfirmation: true, toolRules: { write_file: { execution: 'never' } } })
    expect(rightsBeyond(hidden, base)).toEqual([{ is: 'alone', tools: ['write_file'] }])
    expect(stricterSetup(hidden, base).tools.toolRules).toEqual({ write_file: { execution: 'always' } })
  })
})

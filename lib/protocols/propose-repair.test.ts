import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { rounds } from '@/scripts/test/nightly'
import { canonicalJson } from './types/canonical-json'
import { proposeRepair } from './propose-repair'
import type { BrokenReason } from './types/segment'
import { testTools } from './testing/tools'
import { toolContextBuilder } from './tool-context-builder'
import type { StrategyId } from './types/tool-context-def'

/** Proposals for every broken call of a reply, as the card requests them. */
function proposalsFor(strategy: StrategyId, text: string) {
  const { segments } = toolContextBuilder.parseResponse(strategy, text, testTools)
  return segments.flatMap((segment) => {
    if (segment.kind !== 'broken') return []
    const raw = text.slice(segment.start, segment.end)
    return [{ raw, proposal: proposeRepair(raw, segment.reason, strategy, testTools) }]
  })
}

const first = (strategy: StrategyId, text: string) => proposalsFor(strategy, text)[0]?.proposal

describe('proposes a repair', () => {
  it.each([
    ['XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a"}', ['}</tool_code>'], false],
    ['XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a"', ['}}</tool_code>'], true],
    ['Tool_Action', '<tool_action name="read_file"><path value="/a" />', ['</tool_action>'], true],
    ['Tool_Action', '<tool_action name="read_file"><path value="/a" /></tool_act', ['ion>'], false],
    [
      'VCP',
      '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read_file「末」,\npath:「始」/a「末」\n',
      ['<<<[END_TOOL_REQUEST]>>>'],
      true,
    ],
    [
      'VCP',
      '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read_file「末」,\npath:「始」/a「末」\n<<<[END_TOOL_REQ',
      ['UEST]>>>'],
      false,
    ],
    [
      'VCP',
      'tool_name:「始」read_file「末」,\npath:「始」/a「末」',
      ['<<<[TOOL_REQUEST]>>>', '<<<[END_TOOL_REQUEST]>>>'],
      true,
    ],
    ['JSON_Strict', '{"tool_calls":[{"name":"read_file","arguments":{"path":"/a"}', ['}]}'], false],
    ['JSON_Strict', '{"tool_calls":[{"name":"read_file","arguments":{"path":"/a", "offset": 12 ', ['}}]}'], true],
    ['JSON_Action', '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}', ['}'], false],
  ] as const)('in %s for %s', (strategy, text, added, mayGoOn) => {
    const proposal = first(strategy, text)
    expect(proposal?.call.name).toBe('read_file')
    expect(proposal?.call.arguments['path']).toBe('/a')
    expect(proposal?.added).toEqual(added)
    expect(proposal?.mayGoOn).toBe(mayGoOn)
  })
})

describe('proposes nothing', () => {
  it.each([
    ['a text that was cut off', 'XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a'],
    ['a number that may go on', 'XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a","offset":12'],
    ['a key without a value', 'XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a","offset"'],
    ['a comma', 'XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a",'],
    ['arguments that do not fit', 'XML_Tag', '<tool_code>{"name":"write_file","arguments":{"path":"/a"'],
    ['an unknown tool', 'XML_Tag', '<tool_code>{"name":"fetch","arguments":{"path":"/a"'],
    ['a tool that is not offered', 'XML_Tag', '<tool_code>{"name":"delete_path","arguments":{"path":"/a"'],
    ['a text between tags', 'Tool_Action', '<tool_action name="write_file"><path value="/a" /><content>half <b>'],
    ['a field that was cut off', 'VCP', '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read_file「末」,\npath:「始」/a'],
    ['a text in a list', 'JSON_Strict', '{"tool_calls":[{"name":"draw","arguments":{"tags":["npm i'],
  ] as const)('for %s', (_what, strategy, text) => {
    expect(first(strategy, text) ?? null).toBeNull()
  })

  it.each(['missing-name', 'placeholder', 'too-deep', 'bad-arguments'] satisfies BrokenReason[])('for %s', (reason) => {
    expect(proposeRepair('{"name":"get_time","arguments":{}', reason, 'XML_Tag', testTools)).toBeNull()
  })
})

const strategies = toolContextBuilder.strategies.map((strategy) => strategy.id)
const odd = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '<', '>', '/', '{', '}', '[', ']', ',', ':', '\n', '「', '末', '」', ' ', '1'),
  maxLength: 24,
})
const calls = fc.oneof(
  fc.record({ name: fc.constant('write_file'), arguments: fc.record({ path: odd, content: odd }) }),
  fc.record({
    name: fc.constant('read_file'),
    arguments: fc.record({ path: odd, offset: fc.nat(9999), limit: fc.nat(9999) }, { requiredKeys: ['path'] }),
  }),
  fc.record({
    name: fc.constant('draw'),
    arguments: fc.record(
      {
        tags: fc.array(odd, { maxLength: 3 }),
        visible: fc.boolean(),
        scale: fc.double({ noNaN: true, min: 0, max: 9 }),
      },
      { requiredKeys: [] },
    ),
  }),
)

describe('a cut-off value', () => {
  it.each(strategies)('never proposes a different value, wherever %s is cut', (strategy) => {
    fc.assert(
      fc.property(calls, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (call, share) => {
        const whole = toolContextBuilder.get(strategy).formatCalls([call])
        const cut = whole.slice(0, Math.floor(whole.length * share))
        for (const { proposal } of proposalsFor(strategy, cut)) {
          if (!proposal) continue
          expect(proposal.call.name).toBe(call.name)
          if (!proposal.mayGoOn) expect(canonicalJson(proposal.call.arguments)).toBe(canonicalJson(call.arguments))
          else expectPart(proposal.call.arguments, call.arguments)
        }
      }),
      { numRuns: rounds(1500) },
    )
  })

  it('proposes no different value at any single cut', () => {
    const call = { name: 'write_file', arguments: { path: '/notes/plan.md', content: 'x{"a":[1]}</b>\n'.repeat(4) } }
    let proposed = 0
    for (const strategy of strategies) {
      const whole = toolContextBuilder.get(strategy).formatCalls([call])
      for (let end = 1; end < whole.length; end++)
        for (const { proposal } of proposalsFor(strategy, whole.slice(0, end))) {
          if (!proposal) continue
          proposed += 1
          expect({ ...proposal.call.arguments }).toEqual(call.arguments)
        }
    }
    // Each strategy has cuts after its last value.
    expect(proposed).toBeGreaterThanOrEqual(strategies.length)
  })
})

/** Checks that each value is one of the whole call's; only a list may have fewer members than intended. */
function expectPart(part: JsonObject, whole: JsonObject) {
  for (const [key, value] of Object.entries(part)) {
    const wanted = whole[key] ?? null
    if (Array.isArray(value) && Array.isArray(wanted)) expect(wanted.slice(0, value.length)).toEqual(value)
    else expect(canonicalJson(value)).toBe(canonicalJson(wanted))
  }
}

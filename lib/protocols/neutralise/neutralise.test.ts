import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '@/scripts/test/nightly'
import { MARKS } from '../strategy.contract'
import { neutralise } from '../registry'
import { createNeutraliser } from './neutralise'

describe('in JSON', () => {
  it('keeps the value, whatever it contains', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom(...MARKS),
          fc.constantFrom('\\t', '\\f', '\\u', 'tool_calls', 'function_call', '\tool_calls', '\function_call'),
          fc.string(),
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(text, fc.jsonValue(), fc.dictionary(text, text)), (value) => {
        const json = JSON.stringify(value)
        expect(JSON.stringify(JSON.parse(neutralise.json(json)))).toBe(json)
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('leaves no delimiter', () => {
    for (const mark of [
      '<tool_code>',
      '</tool_code>',
      '<<<[TOOL_REQUEST]>>>',
      '「始」',
      '「末」',
      '```json',
      '<think>',
      '</think>',
      '<｜DSML｜',
      '<|python_tag|>',
      '[TOOL_CALLS]',
      '[[VCP调用结果信息汇总:',
      'VCP调用结果结束]]',
      '{"tool_calls":[]}',
      'Observation: x',
      '{{tools}}',
      '<tool_result id="x">',
      '<invoke name="x">',
      '<tool_action name="x">',
      '</tool_action_result>',
      '{"action":"tool_call"}',
      '{"action":"tool_result"}',
      '<thought>',
      '</inner_analysis>',
      '<ns:invoke name="x">',
      '<seed:think>',
      '[THINK]',
      '[/THINK]',
      '◁think▷',
      '<|im_end|>',
      '<|channel|>analysis',
      '<|channel|>commentary to=functions.x',
      '<end_of_turn>',
      '<start_of_turn>user',
      '<tool_call|>',
      '<start_function_call>',
      '</s>',
      '[INST]',
      '[TOOL_CALL]',
      ']<]minimax[>[',
      '<arg_key>',
      '\nUser: x',
      '\nHuman: x',
      '\nAction: ```json',
      '\ncall:f{a:1}',
    ])
      expect(neutralise.json(JSON.stringify(`a ${mark} b`))).not.toContain(JSON.stringify(mark).slice(1, -1))
  })

  it('keeps ordinary text readable', () => {
    const json = JSON.stringify({
      html: '<div class="a">a < b && c</div><pre><code>x</code></pre>',
      list: [[1, 2], [3]],
      user: 'The user: bob, a human: alice',
      code: 'xs = [f(x) for x in [1, 2]]; actions = ["call: x"]',
    })
    expect(neutralise.json(json)).toBe(json)
  })
})

describe('a literal mark', () => {
  const marks = ['[[TOOL ', '"run":', '\n%', '\u0001x', '🛠(']
  const own = createNeutraliser(marks)

  it.each(marks)('is neutralised wherever a text contains it, in any case: %j', (mark) => {
    const value = { [mark]: [`a${mark}b`, mark.toLowerCase()] }
    const json = own.json(JSON.stringify(value))
    expect(JSON.parse(json)).toEqual(value)
    const inside = JSON.stringify(mark).slice(1, -1)
    expect(json.toLowerCase()).not.toContain(inside.toLowerCase())
    expect(own.attribute(`a${mark}b`)).not.toContain(mark)
  })

  it('leaves the structure of JSON unchanged', () => {
    for (const json of ['{"run":[["TOOL "]]}', '[[1],[2]]']) expect(own.json(json)).toBe(json)
  })
})

describe('in an attribute', () => {
  it('leaves no character that could end the attribute or the tag', () => {
    expect(neutralise.attribute('a"><b>\n「始」`{')).not.toMatch(/["<>\n「`{]/)
  })
})

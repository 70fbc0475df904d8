import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCounting } from '@/lib/base/testing/count-work'
import { everyFew, isNightly } from '@/scripts/test/nightly'
import { checkTiling, parse } from './strategy.contract'
import { strategies } from './registry'

/** Units that open something and never close it, or close something that was never opened. */
const UNITS: Readonly<Record<string, string>> = {
  'an envelope': '{"tool_calls":[',
  'an envelope with an open text': '{"tool_calls":[{"name":"write_file","arguments":{"path":"',
  'an action': '{"action":"tool_call","name":"',
  'a list of actions': '[{"action":"tool_call",',
  'a tag': '<tool_code>',
  'a tag with an open text': '<tool_code>{"a":"',
  'an attribute': '<tool_action name="write_file"><path value="',
  'an element': '<tool_action name="write_file"><content>',
  'a block with an open field': '<<<[TOOL_REQUEST]>>>\na:「始」',
  'a block with an escaped field': '<<<[TOOL_REQUEST]>>>\na:「始ESCAPE」',
  'a fence': '```json\n{',
  'a quotation': '> {"tool_calls":',
  reasoning: '\n<think>',
  'a result frame': '\n<tool_result id="',
  'a closing tag': '</tool_code>',
  'a closing brace': '}]',
  'a DSML group': '<｜DSML｜function_calls><｜DSML｜invoke name="read_file">',
  'an object': '{"a":',
  'an object with a curly quote': '{"a":“',
  'a mark of a value': '「始」',
  'a backtick': '`',
  'a tag with entities': '<tool_code>{&quot;',
  'an unknown element': '<tool_action name="a"><b>',
  'a whole element': '<tool_action name="write_file"><x>1</x>',
  'a whole action': '{"action":"tool_call"}',
  'a function': '<function name="read_file"><param name="path">',
  'a namespaced invocation': '<ns:invoke name="read_file"><ns:parameter name="path">',
  'a Qwen function': '<tool_call><function=read_file><parameter=path>',
  'a Qwen value with closers': '<function=read_file><parameter=path></parameter> ',
  'a GLM call': '<tool_call>read_file<arg_key>path</arg_key><arg_value>',
  'a Gemma call': '<|tool_call>call:read_file{path:<|"|>',
  'a Gemma call without tokens': '\ncall:read_file{path:"',
  'a Harmony call': '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"',
  'a Harmony thought': '<|channel|>analysis<|message|>',
  'a Python list': '[read_file(path="',
  'a Python call in a list': '[read_file(path=[',
  'an LFM call': '<|tool_call_start|>[read_file(path=(',
  'an OLMo group': '<function_calls>read_file(path="a")\n',
  'a Cohere action': '\nAction: ```json\n[{"tool_name":',
  'MiniMax’s brackets': '[TOOL_CALL]{tool => "read_file", args => { --path "',
  'MiniMax’s tokens': ']<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>',
  'a bare call': '{"name":"read_file","arguments":{"path":"',
  'a whole bare call': '{"name":"read_file","arguments":{"path":"/a"}}',
  'a bare list': '[{"name":"read_file","arguments":{',
  'a thought in a line': '<think>a <think> ',
  'a thought that closes in a line': '\n<think>x <think> </think>',
  'a bracketed thought': '\n[THINK]',
  'a triangled thought': '\n◁think▷',
  'a comment': 'a <!-- ',
  pre: 'a <pre> ',
  'a code element': 'a <code> ',
  'a code element inside of another': '<code> <code></code>',
  'a code element with half a call': '\n<code>{"tool_calls":[',
  'a line of a diff': '-{"a":\n+{"a":\n',
  'a head of a diff': '--- a\n',
  'an end of a turn': '<|im_end|>',
  'a mention of an end': 'a <|im_end|> b ',
  'a user’s line': 'a\n\nUser: ',
  'a quotation that lost its marks': '> <tool_code>\n{"a":\n',
  'a fence in a quotation': '> ```json\n{"a":\n',
}

const OWN: Readonly<Record<string, string>> = {
  JSON_Strict: '{"tool_calls":[',
  XML_Tag: '<tool_code>{"a":',
  VCP: '<<<[TOOL_REQUEST]>>>\npath:「始」',
  Tool_Action: '<tool_action name="',
  JSON_Action: '{"action":"tool_call","name":"',
}

/** Nightly, and when this file is named explicitly, the texts are as long as the longest that users send. */
const depth = isNightly ? 10_000 : 2_000
const nested: Readonly<Record<string, string>> = {
  objects: '{"a":'.repeat(depth),
  lists: '['.repeat(depth) + ']'.repeat(depth),
  'an argument': `{"tool_calls":[{"name":"draw","arguments":{"style":${'['.repeat(depth)}${']'.repeat(depth)}}}]}`,
  'an argument in a tag': `<tool_code>{"name":"draw","arguments":{"style":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}</tool_code>`,
  'an action': `{"action":"tool_call","name":"draw","arguments":{"style":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
  tags: '<tool_code>'.repeat(depth) + '</tool_code>'.repeat(depth),
  elements: `<tool_action name="write_file">${'<b>'.repeat(depth)}${'</b>'.repeat(depth)}</tool_action>`,
  quotations: `${'> '.repeat(depth)}x`,
}

const HALF_MEGABYTES = isNightly ? 8 : 0.25
const OPENERS = isNightly ? 40_000 : 1_000
/** The ratio of the two compared text lengths: quadratic work would grow by this factor once more. */
const TIMES = isNightly ? 10 : 2
/** Input that nests up to a limit is measured beyond that limit, where the work per unit is constant. */
const fewOf = (name: string): number => (name === 'an envelope' ? 800 : isNightly ? 200 : 100)

const megabytes = (unit: string, size: number): string => unit.repeat(Math.ceil((size * 2 ** 20) / unit.length))

describe.each(strategies.map((def) => [def.id, def] as const))('bad input under %s', (_, def) => {
  const readable = (text: string) => {
    const reply = parse(def, text)
    checkTiling(reply, text)
    return reply
  }

  it('takes an empty reply as text', () => {
    expect(parse(def, '')).toEqual({ type: 'text', segments: [] })
    expect(def.createScanner([]).preview()).toEqual([])
  })

  it('takes megabytes, half prose and half one call, in full', () => {
    const prose = megabytes('The quick brown fox {jumps} over "the" <lazy> dog.\n', HALF_MEGABYTES)
    const content = megabytes('x = {"a": [1, 2]} <b>\n', HALF_MEGABYTES)
    const text = prose + def.formatCalls([{ name: 'write_file', arguments: { path: '/a', content } }])
    const call = readable(text).segments.find((segment) => segment.kind === 'call')
    expect(call?.arguments['content'] === content).toBe(true)
  }, 120_000)

  it('takes binary junk, NUL and lone surrogates as text', () => {
    let state = 1
    const units = Array.from({ length: 200_000 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return state >>> 16
    })
    const junk = units.map((unit) => String.fromCharCode(unit)).join('')
    expect(readable(junk).type).toBe('text')
    for (const unit of ['\u0000', '\ud83d', '\ude00', '\ufeff', '\uffff']) {
      expect(readable(unit.repeat(50_000)).type).toBe('text')
      const args = { path: `/${unit}a`, content: `a${unit}b${unit}` }
      const call = readable(def.formatCalls([{ name: 'write_file', arguments: args }])).segments[0]
      expect(call).toMatchObject({ kind: 'call', standing: 'live', arguments: args })
    }
  }, 60_000)

  it('takes thousands of its own openers without a live call', () => {
    const { segments } = readable((OWN[def.id] ?? '<tool_code>').repeat(OPENERS))
    expect(segments.filter((segment) => segment.kind === 'call')).toEqual([])
  }, 120_000)

  it.each(Object.entries(nested))(
    'takes %s, thousands deep, without a live call',
    (_name, text) => {
      const calls = readable(text).segments.filter((segment) => segment.kind === 'call')
      expect(calls.filter((call) => call.standing === 'live')).toEqual([])
    },
    60_000,
  )
})

describe('work grows linearly with the text', () => {
  let counter: ReturnType<typeof startCounting>
  beforeAll(() => {
    counter = startCounting()
  })
  afterAll(() => counter.stop())

  describe.each(strategies.map((def, at) => [def.id, def, at] as const))('under %s', (_, def, at) => {
    // Which ones are measured on each change depends on the strategy; each one is under at least two.
    it.each(everyFew(Object.entries(UNITS), 3, at))(
      'when %s is repeated thousands of times',
      (name, unit) => {
        const few = fewOf(name)
        const work = (times: number): number => counter.count(() => parse(def, unit.repeat(times)))
        expect(work(TIMES * few) / work(few)).toBeLessThan(1.1 * TIMES)
      },
      60_000,
    )
  })
})

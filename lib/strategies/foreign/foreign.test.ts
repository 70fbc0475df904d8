import { describe, expect, it } from 'vitest'
import { parse, strategyOf, checkTiling } from '../strategy.contract'
import { aCallOf } from '../call-words'
import { openerOf } from '../explain/forms'
import { strategies } from '../registry'
import { testTools } from '../testing/tools'
import { foreignDialects } from './index'

const PATH_A = { path: '/a' }

/** One well-formed call of each dialect, as the models' own templates write it. */
const replies: readonly (readonly [dialect: string, text: string])[] = [
  ['hermes', '<tool_call>\n{"name": "read_file", "arguments": {"path": "/a"}}\n</tool_call>'],
  ['qwen', '<tool_call>\n<function=read_file>\n<parameter=path>\n/a\n</parameter>\n</function>\n</tool_call>'],
  ['qwen', '<function=read_file><parameter=path>/a</parameter></function>'],
  ['llama', '<function=read_file>{"path": "/a"}</function>'],
  ['llama', '<|python_tag|>{"name": "read_file", "parameters": {"path": "/a"}}<|eom_id|>'],
  [
    'anthropic',
    '<function_calls>\n<invoke name="read_file">\n<parameter name="path">/a</parameter>\n</invoke>\n</function_calls>',
  ],
  ['anthropic', '<invoke name="read_file"><parameter name="path">/a</parameter></invoke>'],
  ['mistral', '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "/a"}}]'],
  ['mistral', '[TOOL_CALLS]read_file[ARGS]{"path": "/a"}'],
  [
    'kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"/a"}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  [
    'deepseek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path":"/a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  ['cherry', '<tool_use>\n<name>read_file</name>\n<arguments>{"path":"/a"}</arguments>\n</tool_use>'],
  ['Tool_Action', '<tool_action name="read_file"><param name="path" value="/a" /></tool_action>'],
  ['Tool_Action', '<tool_action name="read_file"><path>/a</path></tool_action>'],
  ['JSON_Action', '```json\n{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}\n```'],
  ['JSON_Action', '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}'],
  ['gemma-python', '```tool_code\nprint(default_api.read_file(path="/a"))\n```'],
  ['qwen', '<tool_call>\n<function=read_file>\n<parameter=path>\n/a\n</parameter>\n</tool_call>'],
  ['qwen', '<seed:tool_call><function=read_file><parameter=path>/a</parameter></function></seed:tool_call>'],
  ['glm', '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>/a</arg_value>\n</tool_call>'],
  [
    'anthropic',
    '<ns:function_calls><ns:invoke name="read_file"><ns:parameter name="path">/a</ns:parameter></ns:invoke>',
  ],
  [
    'deepseek',
    '<｜DSML｜function_calls><｜DSML｜invoke name="read_file"><｜DSML｜parameter name="path" string="true">/a</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>',
  ],
  ['gemma', '<|tool_call>call:read_file{path:<|"|>/a<|"|>}<tool_call|>'],
  ['gemma', '<start_function_call>call:read_file{path:<escape>/a<escape>}<end_function_call>'],
  ['gemma', 'call:read_file{path:<|"|>/a<|"|>}'],
  ['harmony', '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"/a"}<|call|>'],
  ['harmony', '<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"path":"/a"}'],
  ['harmony', 'commentary to=functions.read_file json{"path":"/a"}'],
  ['lfm', '<|tool_call_start|>[read_file(path="/a")]<|tool_call_end|>'],
  ['lfm', '<|tool_call_start|>[{"name": "read_file", "arguments": {"path": "/a"}}]<|tool_call_end|>'],
  ['pythonic', "[read_file(path='/a')]"],
  ['pythonic', '<function_calls>\nread_file(path="/a")\n</function_calls>'],
  ['cohere', 'Action: ```json\n[{"tool_name": "read_file", "parameters": {"path": "/a"}}]\n```'],
  [
    'cohere',
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "/a"}}]<|END_ACTION|>',
  ],
  ['minimax', '[TOOL_CALL]\n{tool => "read_file", args => {\n  --path "/a"\n}}\n[/TOOL_CALL]'],
  ['minimax', '[TOOL_CALL]{tool => "read_file", args => {"path":"/a"}}[/TOOL_CALL]'],
  [
    'minimax',
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>/a]<]minimax[>[</path>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
  ],
  ['minimax', '<tool_calls>\n{"name": "read_file", "arguments": {"path": "/a"}}\n</tool_calls>'],
  ['bare-json', '{"name": "read_file", "arguments": {"path": "/a"}}'],
  ['bare-json', '```json\n{"name": "read_file", "parameters": {"path": "/a"}}\n```'],
  ['bare-json', '{"type": "function", "function": {"name": "read_file", "arguments": {"path": "/a"}}}'],
  ['bare-json', '[{"name": "read_file", "arguments": {"path": "/a"}}]'],
]

/** What is near a call of a foreign form, and none: it stays text under every strategy. */
const texts: readonly (readonly [name: string, text: string])[] = [
  [
    'a definition',
    '{"name": "read_file", "description": "Reads.", "parameters": {"type": "object", "properties": {}}}',
  ],
  ['a schema for arguments', '{"name": "read_file", "parameters": {"type": "object", "properties": {"path": {}}}}'],
  ['a name alone', '{"name": "read_file"}'],
  ['other data', '{"name": "read_file", "version": "1.0.0", "arguments": {}}'],
  ['an unknown name', '{"name": "fly", "arguments": {"to": "x"}}'],
  ['damaged JSON', '{"name": "read_file", "arguments": {"path": "/a"}'],
  ['a list of both', '[{"name": "read_file", "arguments": {"path": "/a"}}, {"name": "Bob"}]'],
  ['a piece of cut JSON', '{"calls":[{"name": "read_file", "arguments": {"path": "/a"}},{"na'],
  ['a link', '[read_file](https://example.org) and [x](y)'],
  ['a list of unknown functions', '[fly(to="x")]'],
  ['a comprehension', '[read_file(path=p) for p in paths]'],
  ['a sum', '[read_file(path="/a" + "b")]'],
  ['a name for a value', '[read_file(path=home)]'],
  ['an f-string', '[read_file(path=f"/{x}")]'],
  ['a value by its place', '[read_file("/a")]'],
  ['a call inside', '[read_file(path=open("x"))]'],
  ['a key twice', '[read_file(path="/a", path="/b")]'],
  ['a Python call in a sentence', 'Then read_file(path="/a") runs.'],
  ['Gemma’s form of an unknown tool', 'call:fly{to:<|"|>x<|"|>}'],
  ['Gemma’s form without quotes', '<|tool_call>call:read_file{path:/a}<tool_call|>'],
  ['Gemma’s form in a sentence', 'It is a call:read_file{path:"/a"}'],
  ['a word in a tag', '<tool_call>hello</tool_call>'],
  [
    'a GLM key with markup in it',
    '<tool_call>read_file<arg_key>a<arg_key>path</arg_key><arg_value>/a</arg_value></tool_call>',
  ],
  ['a channel without a recipient', '<|channel|>commentary<|message|>{"path":"/a"}'],
  ['Cohere’s answer', 'Action: ```json\n[{"tool_name": "directly-answer", "parameters": {}}]\n```'],
]

describe.each(strategies.map((def) => def.id))('foreign dialects under %s', (id) => {
  const def = strategyOf(id)

  const foreign = replies.filter(([dialect]) => dialect !== id)

  it.each(foreign)('%s is recognised: %s', (dialect, call) => {
    const text = `I will read it.\n\n${call}\n\nDone.`
    const reply = parse(def, text)
    checkTiling(reply, text)
    expect(reply.type).toBe('text')
    const calls = reply.segments.filter((segment) => segment.kind === 'call')
    expect(calls.map((one) => [one.dialect, one.standing, one.name, structuredClone(one.arguments)])).toEqual([
      [dialect, 'foreign', 'read_file', PATH_A],
    ])
    const scanner = def.createScanner(testTools)
    for (const unit of text.split('')) {
      scanner.push(unit)
      scanner.preview()
    }
    expect(scanner.end()).toEqual(reply)
  })

  it.each(texts)('%s stays text', (_, text) => {
    for (const whole of [text, `So:\n${text}\nDone.`]) {
      const reply = parse(def, whole)
      checkTiling(reply, whole)
      expect(reply.segments.filter((segment) => segment.kind === 'call')).toEqual([])
    }
  })

  it.each(foreign)('%s cut short stays text: %s', (_, call) => {
    const reply = parse(def, call.slice(0, Math.floor(call.length * 0.6)))
    expect(reply.segments.map((segment) => segment.kind)).toEqual(['text'])
  })
})

const under = strategyOf('XML_Tag')
const argumentsOf = (text: string): readonly unknown[] =>
  parse(under, text).segments.flatMap((segment) =>
    segment.kind === 'call' ? [[segment.dialect, segment.name, structuredClone(segment.arguments)]] : [],
  )

describe('values of foreign calls', () => {
  it.each<[string, string, readonly unknown[]]>([
    [
      'a closer inside of a value is data',
      '<function=write_file><parameter=path>/a</parameter><parameter=content>x</parameter> y\n</parameter></function>',
      [['qwen', 'write_file', { path: '/a', content: 'x</parameter> y' }]],
    ],
    [
      'in an invocation, too',
      '<invoke name="write_file"><parameter name="path">/a</parameter><parameter name="content">x</parameter> y</parameter></invoke>',
      [['anthropic', 'write_file', { path: '/a', content: 'x</parameter> y' }]],
    ],
    [
      'in a value of GLM',
      '<tool_call>write_file<arg_key>path</arg_key><arg_value>/a</arg_value><arg_key>content</arg_key><arg_value>x</arg_value> y</arg_value></tool_call>',
      [['glm', 'write_file', { path: '/a', content: 'x</arg_value> y' }]],
    ],
    [
      'CDATA is unwrapped, and protects',
      '<function name="write_file"><param name="path"><![CDATA[/a]]></param><param name="content"><![CDATA[</param></function>]]></param></function>',
      [['anthropic', 'write_file', { path: '/a', content: '</param></function>' }]],
    ],
    [
      'one newline goes at each end',
      '<tool_call><function=write_file><parameter=path>/a</parameter><parameter=content>\n\n  x\n\n</parameter></tool_call>',
      [['qwen', 'write_file', { path: '/a', content: '\n  x\n' }]],
    ],
    [
      'names in any script',
      '<function=读取><parameter=路径>/a</parameter></function>',
      [['qwen', '读取', { 路径: '/a' }]],
    ],
    [
      'several in a Python list, with literals of every kind',
      `[draw(tags=["a", 'b\\'c'], points=[{"x": 1.5, 'y': -2}], visible=True, label=None, style={}), get_time()]`,
      [
        [
          'pythonic',
          'draw',
          { tags: ['a', "b'c"], points: [{ x: 1.5, y: -2 }], visible: true, label: null, style: {} },
        ],
        ['pythonic', 'get_time', {}],
      ],
    ],
    [
      'several lines of a fence of Gemini',
      '```tool_code\nread_file(path="/a")\nprint(get_time())\n```',
      [
        ['gemma-python', 'read_file', { path: '/a' }],
        ['gemma-python', 'get_time', {}],
      ],
    ],
    [
      'a text in three quotes, escapes decoded',
      `[write_file(path="/\\u0061", content='''x\n"y"\\d''')]`,
      [['pythonic', 'write_file', { path: '/a', content: 'x\n"y"\\d' }]],
    ],
    [
      'Gemma’s texts are literal',
      '<|tool_call>call:draw{tags:[<|"|>a, "b"} \\n<|"|>],style:{n:{m:1}},visible:true}<tool_call|>',
      [['gemma', 'draw', { tags: ['a, "b"} \\n'], style: { n: { m: 1 } }, visible: true }]],
    ],
    [
      'two calls of Llama behind one token',
      '<|python_tag|>{"name": "read_file", "parameters": {"path": "/a"}}; {"name": "get_time", "parameters": {}}',
      [
        ['llama', 'read_file', { path: '/a' }],
        ['llama', 'get_time', {}],
      ],
    ],
    [
      'a list of xLAM',
      '[{"name": "read_file", "arguments": {"path": "/a"}}, {"name": "get_time", "arguments": {}}]',
      [
        ['bare-json', 'read_file', { path: '/a' }],
        ['bare-json', 'get_time', {}],
      ],
    ],
    [
      'bare objects in lines',
      '{"name": "read_file", "arguments": {"path": "/a"}}\n{"name": "read_file", "arguments": {"path": "/b"}}',
      [
        ['bare-json', 'read_file', { path: '/a' }],
        ['bare-json', 'read_file', { path: '/b' }],
      ],
    ],
    [
      'MiniMax’s values are literal',
      '[TOOL_CALL]{tool => "write_file", args => { --path "/a" --content "}}\\n[/TOOL_CALL]" }}[/TOOL_CALL]',
      [['minimax', 'write_file', { path: '/a', content: '}}\n[/TOOL_CALL]' }]],
    ],
  ])('%s', (_, text, expected) => {
    expect(argumentsOf(text)).toEqual(expected)
  })

  it('never hold a prototype key', () => {
    for (const text of [
      '[draw(__proto__={"x": 1}, style={"__proto__": {"x": 1}, "constructor": 2})]',
      '<|tool_call>call:draw{__proto__:{x:1},style:{prototype:1}}<tool_call|>',
      '<tool_call>draw<arg_key>__proto__</arg_key><arg_value>{"x":1}</arg_value></tool_call>',
      '[TOOL_CALL]{tool => "draw", args => { --__proto__ {"x": 1} }}[/TOOL_CALL]',
      '{"name":"draw","arguments":{"__proto__":{"x":1},"style":{"constructor":1}}}',
      '<|channel|>commentary to=functions.draw<|message|>{"__proto__":{"x":1}}',
    ]) {
      const call = parse(under, text).segments.find((segment) => segment.kind === 'call')
      expect(JSON.stringify(call?.arguments)).toMatch(/^\{(?:"style":\{\})?\}$/)
    }
  })

  it('are refused when they nest too deep', () => {
    for (const text of [
      `[draw(style=${'['.repeat(5000)}${']'.repeat(5000)})]`,
      `<|tool_call>call:draw{style:${'{a:'.repeat(5000)}1${'}'.repeat(5000)}}<tool_call|>`,
    ])
      expect(argumentsOf(text)).toEqual([])
  })
})

describe('the names of foreign dialects', () => {
  it('are words for people, each with how it begins', () => {
    for (const [dialect] of replies) {
      expect(aCallOf(dialect)).toMatch(/^an? /)
      expect(openerOf(dialect)).not.toBeNull()
      if (!strategies.some((def) => def.id === dialect)) expect(aCallOf(dialect)).not.toBe(`a ${dialect} call`)
    }
  })

  it('are all tried here', () => {
    const tried = new Set(replies.map(([dialect]) => dialect))
    expect(foreignDialects.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([])
  })
})

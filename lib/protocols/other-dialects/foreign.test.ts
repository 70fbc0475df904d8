import { describe, expect, it } from 'vitest'
import { parse, strategyOf, checkTiling } from '../strategy.contract'
import { aCallOf } from '../types/strategy-facts'
import { openerOf } from '../explain/explanation'
import { strategies } from '../registry'
import { testTools } from '../testing/tools'
import { foreignDialects } from './index'

const PATH_A = { path: '/a' }

/** One well-formed call per dialect, as the models' own templates write it. */
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
  ['bare-json', "[{'name': 'read_file', 'parameters': {'path': '/a'}}]"],
  ['bare-json', "[{'name': 'read_file', 'arguments': {'path': '/a'}}]"],
  ['react', 'Action: read_file\nAction Input: {"path": "/a"}'],
  ['react', "Action: read_file\nAction Input: {'path': '/a'}"],
  ['react', 'Action: [read_file]\nAction Input: "/a"'],
  ['react', '**Action:** `read_file`\n**Action Input:**\n```json\n{"path": "/a"}\n```'],
  ['react', 'Action: read_file()\nAction Input: `{"path": "/a"}`'],
  ['react', 'Action 2: read_file\n\nAction Input 2: /a'],
  ['react', 'action: Read File\naction_input: {"path": "/a"}'],
  ['react', 'Action: read_file(path="/a")'],
  ['react', 'Action:\n```\n{"action": "read_file", "action_input": {"path": "/a"}}\n```'],
  ['react', 'Action:\n```json\n{\n  "action": "read_file",\n  "action_input": "/a"\n}\n```'],
  ['react', '**Action:**\n\n```json\n{"action": "read_file", "action_input": {"path": "/a"}}\n```'],
  ['apertus', '<|tools_prefix|>[{"read_file": {"path": "/a"}}]<|tools_suffix|>'],
  ['kimi', '<|tool_call_begin|>functions_read_file_0<|tool_call_argument_begin|>{"path":"/a"}<|tool_call_end|>'],
  ['kimi', '<|tool_call_begin|>functionsread_file12<|tool_call_argument_begin|>{"path":"/a"}<|tool_call_end|>'],
  ['kimi', '<|tool_call_begin|>call_read_file_x9<|tool_call_argument_begin|>{"path":"/a"}<|tool_call_end|>'],
  ['harmony', '<|channel|>commentary to=functions.read_filejson<|message|>{"path":"/a"}<|call|>'],
  ['harmony', 'commentary to=functions.read_filejson{"path":"/a"}'],
]

/** Only Python calls of known tools: they count only as a whole reply. */
const envelopeReplies: readonly string[] = [
  'read_file(path="/a")',
  "read_file(path='/a');",
  '\n  read_file(path="/a")  \n',
  'print(read_file(path="/a"))',
  '<think>\nI need it.\n</think>\n\nread_file(path="/a")',
  'read_file(path="/a")<|im_end|>',
  '```\nread_file(path="/a")\n```',
  '```python\nread_file(path="/a")\n```',
  '```tool_code\nread_file(path="/a")\n```',
  '```python\n[read_file(path="/a")]\n```\n',
]

/** Calls of a known tool whose arguments would have to be computed, or are positional. */
const computed: readonly string[] = [
  '[read_file(path=home)]',
  '[read_file({"path": "/a"})]',
  '[read_file("/a")]',
  '[read_file(path="/a" + "b")]',
  '[read_file(path=f"/{x}")]',
  '[read_file(path=open("x"))]',
  '[read_file(path="/a", path="/b")]',
  '[read_file(path="/a", limit=4*3.14)]',
]

/** Text that resembles a call of a foreign form but is none: it stays text under every strategy. */
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
  ['a signature in brackets', '[read_file(path, offset)]'],
  ['a link with the name of a tool', '[read_file(path="x"+y)](https://example.org)'],
  ['a call in brackets in a sentence', 'Write [read_file(path=home)] to read it.'],
  ['an action of everyday life', 'Action: buy milk\nAction Items: call Bob'],
  ['an action without an input that goes on', 'Action: get_time\n\nIt tells the time.'],
  ['an action without an input', 'Action: read_file\n\nThis reads the file.'],
  ['an action that is none', 'Thought: I know.\nAction: None\nAction Input: None\nFinal Answer: 4'],
  ['the template of ReAct', 'Action: the action to take, one of [read_file]\nAction Input: the input to the action'],
  ['the example of a documentation', 'Action: tool_name\nAction Input: {"key": "value"}'],
  ['an unknown action with plain words', 'Action: search\nAction Input: cats'],
  ['labels inside of a sentence', 'Write Action: read_file and then Action Input: {"path": "/a"}.'],
  ['an input that goes on', 'Action: read_file\nAction Input: /a\nand more of it'],
  ['an input with words behind', 'Action: read_file\nAction Input: {"path": "/a"} is what to write.'],
  ['Python with words before', 'Try this:\nread_file(path="/a")'],
  ['Python with words behind', 'read_file(path="/a")\nreads the file.'],
  ['Python of an unknown function', 'open_file(path="/a")'],
  ['Python that goes on', 'text = read_file(path="/a")\nprint(text)'],
  ['Cohere’s answer', 'Action: ```json\n[{"tool_name": "directly-answer", "parameters": {}}]\n```'],
]

describe.each(strategies.map((def) => def.id))('foreign dialects under %s', (id) => {
  const def = strategyOf(id)

  // JSON_Action reads a JSON action itself.
  const isOwn = (text: string) => id === 'JSON_Action' && /"action":/.test(text)
  const foreign = replies.filter(([dialect, text]) => dialect !== id && !isOwn(text))

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

  it.each(envelopeReplies)('Python is recognised as a whole reply, but not beside other text: %s', (text) => {
    const reply = parse(def, text)
    checkTiling(reply, text)
    const calls = reply.segments.filter((segment) => segment.kind === 'call')
    expect(calls.map((one) => [one.standing, one.name, structuredClone(one.arguments)])).toEqual([
      ['foreign', 'read_file', PATH_A],
    ])
    const beside = parse(def, `So:\n${text}\nDone.`)
    expect(beside.segments.filter((one) => one.kind === 'call' && one.dialect === 'python')).toEqual([])
  })

  it.each(computed)('%s is rejected because it is not a literal', (call) => {
    const text = `So:\n${call}\nDone.`
    const reply = parse(def, text)
    checkTiling(reply, text)
    expect(reply.type).toBe('text')
    expect(reply.segments.map((one) => one.kind)).toEqual(['text', 'broken', 'text'])
    expect(reply.segments[1]).toMatchObject({ reason: 'not-a-literal', name: 'read_file', dialect: 'pythonic' })
    expect(parse(def, call.slice(1, -1)).segments).toMatchObject([{ kind: 'broken', reason: 'not-a-literal' }])
    for (const quoted of [`\`${call}\``, `~~~text\n${call}\n~~~`, `> ${call}`])
      expect(parse(def, quoted).segments.map((one) => one.kind)).toEqual(['text'])
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

it('a JSON action below its label is a call of JSON_Action itself', () => {
  const text = 'Action:\n```json\n{"action": "read_file", "action_input": {"path": "/a"}}\n```'
  const scanner = strategyOf('JSON_Action').createScanner(testTools)
  scanner.push(text)
  expect(scanner.end().segments.find(({ kind }) => kind === 'call')).toMatchObject({
    standing: 'live',
    name: 'read_file',
  })
})

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

  /** Writes write_file in each form made of elements; `content` is optional in the tool below. */
  const elements: readonly (readonly [dialect: string, write: (path: string, content: string) => string])[] = [
    [
      'anthropic',
      (path, content) =>
        `<invoke name="write_file">\n<parameter name="path">${path}</parameter>\n<parameter name="content">${content}</parameter>\n</invoke>`,
    ],
    [
      'anthropic',
      (path, content) =>
        `<ns:invoke name="write_file"><ns:parameter name="path">${path}</ns:parameter><ns:parameter name="content">${content}</ns:parameter></ns:invoke>`,
    ],
    [
      'anthropic',
      (path, content) =>
        `<function name="write_file"><param name="path">${path}</param><param name="content">${content}</param></function>`,
    ],
    [
      'deepseek',
      (path, content) =>
        `<｜DSML｜invoke name="write_file"><｜DSML｜parameter name="path">${path}</｜DSML｜parameter><｜DSML｜parameter name="content">${content}</｜DSML｜parameter></｜DSML｜invoke>`,
    ],
    [
      'qwen',
      (path, content) =>
        `<tool_call>\n<function=write_file>\n<parameter=path>\n${path}\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`,
    ],
    [
      'glm',
      (path, content) =>
        `<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>${path}</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${content}</arg_value>\n</tool_call>`,
    ],
    [
      'minimax',
      (path, content) =>
        `]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="write_file">]<]minimax[>[<path>${path}]<]minimax[>[</path>]<]minimax[>[<content>${content}]<]minimax[>[</content>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>`,
    ],
  ]
  const optional = testTools.map((tool) =>
    tool.name === 'write_file' ? { ...tool, parameters: { ...tool.parameters, required: ['path'] } } : tool,
  )

  it.each(elements)('of %s never swallow the next parameter, whatever tag is damaged', (dialect, write) => {
    const whole = write('/a', 'x')
    expect(argumentsOf(whole)).toEqual([[dialect, 'write_file', { path: '/a', content: 'x' }]])
    const damages = [...whole.matchAll(/<[^<>]*>/g)].flatMap(({ 0: tag, index }) =>
      ['', tag.slice(0, -1), tag.slice(1), tag.replace('/', ''), tag.replace(/[a-z]+/, 'wrong')]
        .filter((one) => one !== tag)
        .map((one) => whole.slice(0, index) + one + whole.slice(index + tag.length)),
    )
    for (const text of [...damages, ...damages.map((one) => `${one}\n${whole}`)]) {
      const scanner = under.createScanner(optional)
      scanner.push(text)
      for (const one of scanner.end().segments)
        if (one.kind === 'call' && one.standing !== 'quoted')
          for (const value of Object.values(one.arguments))
            expect([text, /content|arg_value|path/.test(JSON.stringify(value))]).toEqual([text, false])
    }
  })

  it.each(elements)('of %s may contain whole elements of their own kind', (dialect, write) => {
    const inner = write('/b', 'y')
    expect(argumentsOf(write('/a', `see: ${inner} end`))).toEqual([
      [dialect, 'write_file', { path: '/a', content: `see: ${inner} end` }],
    ])
  })

  it('never contain a prototype key', () => {
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

  it('are rejected if they nest too deep', () => {
    for (const text of [
      `[draw(style=${'['.repeat(5000)}${']'.repeat(5000)})]`,
      `<|tool_call>call:draw{style:${'{a:'.repeat(5000)}1${'}'.repeat(5000)}}<tool_call|>`,
    ])
      expect(argumentsOf(text)).toEqual([])
  })
})

describe('the names of foreign dialects', () => {
  it('are readable, and each says how its calls begin', () => {
    for (const [dialect] of replies) {
      expect(aCallOf(dialect)).toMatch(/^an? /)
      expect(openerOf(dialect)).not.toBeNull()
      if (!strategies.some((def) => def.id === dialect)) expect(aCallOf(dialect)).not.toBe(`a ${dialect} call`)
    }
  })

  it('are all tested here', () => {
    const tried = new Set([...replies.map(([dialect]) => dialect), 'python'])
    expect(foreignDialects.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([])
  })
})

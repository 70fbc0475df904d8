import { describe, expect, it } from 'vitest'
import { parse, strategyOf, checkTiling } from '../strategy.contract'
import { strategies } from '../registry'

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
    const scanner = def.createScanner([])
    for (const unit of text.split('')) scanner.push(unit)
    checkTiling(scanner.end(), text)
  })

  it.each(foreign)('%s cut short stays text: %s', (_, call) => {
    const reply = parse(def, call.slice(0, Math.floor(call.length * 0.6)))
    expect(reply.segments.map((segment) => segment.kind)).toEqual(['text'])
  })
})

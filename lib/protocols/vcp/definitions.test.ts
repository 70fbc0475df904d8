import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { exampleCall } from '../prompt/prompt-parts'
import { twentyTools } from '../testing/twenty-tools'
import { toolContextBuilder } from '../tool-context-builder'
import type { ToolSpec } from '../types/tool-context-def'

const END = '<<<[END_TOOL_DEFINITION]>>>'

const partOf = (tools: readonly ToolSpec[]): string =>
  toolContextBuilder.promptParts('VCP', tools).find(({ kind }) => kind === 'tools')?.text ?? ''
const read = (text: string, tools: readonly ToolSpec[]) => toolContextBuilder.parseResponse('VCP', text, tools).segments

const request = (name: string) =>
  `<<<[TOOL_REQUEST]>>>\ntool_name:「始」${name}「末」,\npath:「始」/a「末」\n<<<[END_TOOL_REQUEST]>>>`

const marks = [
  '「末」',
  '「始」',
  '<<<[END_TOOL_DEFINITION]>>>',
  '<<<[TOOL_REQUEST]>>>',
  '\n\n',
  'tool_name:「始」x「末」',
  'words ',
]
const parameter: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom<JsonObject>(
    { type: 'string' },
    { type: 'integer' },
    { type: 'boolean' },
    { type: 'array', items: { type: 'string' } },
  ),
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant({ type: 'number' })),
  }),
)
const anyTool: fc.Arbitrary<ToolSpec> = fc.record({
  name: fc.stringMatching(/^[a-z][a-z_]{0,12}$/),
  description: fc.array(fc.constantFrom(...marks), { maxLength: 5 }).map((parts) => parts.join('')),
  parameters: fc
    .tuple(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), parameter, { maxKeys: 4 }), fc.boolean())
    .map(([properties, all]) => ({
      type: 'object',
      properties,
      required: all ? Object.keys(properties) : [],
      additionalProperties: false,
    })),
})
const anyTools = fc.uniqueArray(anyTool, { selector: ({ name }) => name, minLength: 1, maxLength: 6 })

describe('the definitions of tools under VCP', () => {
  it('describe each tool in its own block: name, description, parameters, other call requirements', () => {
    const specs = builtIn.specs()
    const blocks = partOf(specs).split('\n\n').slice(1)
    expect(blocks.map((block) => /tool_name:「始」(.*?)「末」/.exec(block)?.[1])).toEqual(specs.map(({ name }) => name))
    for (const block of blocks) {
      expect(block.startsWith('<<<[TOOL_DEFINITION]>>>\n')).toBe(true)
      expect(block.endsWith(`\n${END}`)).toBe(true)
      expect(block).toMatch(/\ndescription:「始」.+「末」,\nparameters:「始」[^「]+「末」\n/)
    }
    const having = (line: string) => blocks.filter((block) => block.includes(line)).length
    // A command only if it is a different name, an example only if not every required parameter is a text.
    expect(blocks.find((block) => block.includes('「始」read_file「末」'))).not.toMatch(/command:|example:/)
    expect(blocks.find((block) => block.includes('「始」delete_path「末」'))).toContain(
      '\ncommand:「始」DeleteFile「末」',
    )
    expect(blocks.find((block) => block.includes('「始」edit_file「末」'))).toContain(
      '\nexample:\n<<<[TOOL_REQUEST]>>>\n',
    )
    expect([having('\ncommand:'), having('\nexample:')]).toEqual([2, 1])
  })

  it('show requests that read back as intended, whatever the tools are', () => {
    fc.assert(
      fc.property(anyTools, (tools) => {
        for (const example of partOf(tools).match(/(?<=\nexample:\n)[^]*?(?=\n<<<\[END_TOOL_DEFINITION\]>>>)/g) ?? []) {
          const [call, ...more] = read(example, tools)
          expect(more).toEqual([])
          expect(call).toMatchObject({ kind: 'call', standing: 'live', verdict: 'ok', problem: null })
        }
      }),
      { numRuns: 200 },
    )
  })

  it('write a tool with a parameter named like a block key as JSON, and say so', () => {
    const odd: ToolSpec = {
      name: 'describe_tool',
      description: 'Describes a tool.',
      parameters: { type: 'object', properties: { tool_name: { type: 'string' } }, required: ['tool_name'] },
    }
    const alone = toolContextBuilder.spliceSystemPrompt('', { strategy: 'VCP', tools: [odd], enabled: true })
    expect(alone).toContain('as in describe_tool, the block holds one JSON object')
    const shown = (tools: readonly ToolSpec[]) =>
      read(toolContextBuilder.promptParts('VCP', tools)[0]?.text ?? '', tools).flatMap((one) =>
        one.kind === 'call' ? [[one.name, one.standing, one.problem]] : [],
      )
    expect(shown([odd])).toEqual([
      ['describe_tool', 'quoted', null],
      ['describe_tool', 'quoted', null],
    ])
    expect(shown([odd, ...twentyTools]).map(([name]) => name)).toEqual(['read_file', 'write_file'])
  })

  it('are not requests when they come back as a reply, in any order and number', () => {
    fc.assert(
      fc.property(anyTools, (tools) => {
        expect(read(partOf(tools), tools).every(({ kind }) => kind === 'text')).toBe(true)
      }),
      { numRuns: 200 },
    )
    const whole = toolContextBuilder.spliceSystemPrompt('', { strategy: 'VCP', tools: twentyTools, enabled: true })
    const calls = read(whole, twentyTools).filter(({ kind }) => kind === 'call')
    expect(calls[0]).toMatchObject({ name: exampleCall(twentyTools).name })
    expect(calls).toHaveLength(2)
  })

  it('hide no request after them, even if one lost its end', () => {
    const [block = ''] = partOf(twentyTools).split('\n\n').slice(1)
    for (const told of [block, block.toLowerCase(), block.replace(END, '')]) {
      const calls = read(`${told}\n\n${request('read_file')}`, twentyTools).filter(({ kind }) => kind === 'call')
      expect(calls).toMatchObject([{ name: 'read_file', standing: 'live' }])
    }
    const mention = `A tool is told between <<<[TOOL_DEFINITION]>>> and its end.\n${request('read_file')}`
    expect(read(mention, twentyTools).filter(({ kind }) => kind === 'call')).toMatchObject([{ standing: 'live' }])
  })

  it('describe the VCPToolBox form only if a tool has a command', () => {
    const ruleOf = (tools: readonly ToolSpec[]) =>
      /command:「始」(\w+)「末」$/m.exec(toolContextBuilder.promptParts('VCP', tools)[0]?.text ?? '')?.[1]
    expect(ruleOf(builtIn.specs())).toBe('ReadFile')
    expect(
      ruleOf([{ name: 'ask', description: 'Asks.', parameters: { type: 'object', properties: {} } }]),
    ).toBeUndefined()
  })
})

describe('calls in the VCPToolBox form', () => {
  const tools = builtIn.specs()
  const call = (plugin: string, fields: readonly (readonly [string, string])[]) =>
    `<<<[TOOL_REQUEST]>>>\nmaid:「始」Nova「末」,\ntool_name:「始」${plugin}「末」,\n${fields.map(([key, value]) => `${key}:「始」${value}「末」`).join(',\n')}\n<<<[END_TOOL_REQUEST]>>>`
  const callsOf = (text: string) =>
    read(text, tools).flatMap((one) => (one.kind === 'call' ? [[one.name, one.arguments, one.problem]] : [[one.kind]]))

  // The plugin's name does not matter here: any name that it could have will do.
  it.each(['FileOperator', 'ServerFileOperator', 'VSCodeFileOperator'])(
    'reach our tools by their command: %s',
    (plugin) => {
      for (const { name, vcpCommand, vcpParameters = {}, parameters, oneOf = [] } of tools) {
        if (vcpCommand === undefined) continue
        const required = [...((parameters['required'] as readonly string[] | undefined) ?? []), ...oneOf.slice(0, 1)]
        if (required.some((key) => key === 'edits')) continue
        const theirs = (key: string) => Object.keys(vcpParameters).find((one) => vcpParameters[one] === key) ?? key
        const fields = required.map((key) => [theirs(key), '/a'] as const)
        const expected = Object.fromEntries(required.map((key) => [key, '/a']))
        expect(callsOf(call(plugin, [['command', vcpCommand], ...fields]))).toEqual([[name, expected, null]])
      }
    },
  )

  it('may be several in one block, under one command or each under its own', () => {
    const one = call('FileOperator', [
      ['command', 'ReadFile'],
      ['filePath1', '/a'],
      ['filePath2', '/b'],
    ])
    expect(callsOf(one)).toEqual([
      ['read_file', { path: '/a' }, null],
      ['read_file', { path: '/b' }, null],
    ])
    const two = call('FileOperator', [
      ['command1', 'WriteFile'],
      ['filePath1', '/a'],
      ['content1', 'x'],
      ['command2', 'ListDirectory'],
      ['directoryPath2', '/'],
    ])
    expect(callsOf(two)).toEqual([
      ['write_file', { path: '/a', content: 'x' }, null],
      ['list_directory', { path: '/' }, null],
    ])
  })

  it('lose nothing if their name for a parameter is beside ours', () => {
    const [segment] = read(
      call('FileOperator', [
        ['command', 'ReadFile'],
        ['filePath', '/theirs'],
        ['path', '/ours'],
      ]),
      tools,
    )
    expect(segment).toMatchObject({
      name: 'read_file',
      arguments: { path: '/ours' },
      coercions: [{ path: 'filePath', kind: 'key-dropped' }],
    })
  })
})

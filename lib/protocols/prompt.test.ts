import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { escapeExampleCall, exampleCall, jsonCarefulTexts } from './prompt/prompt-parts'
import type { CallSegment } from './types/segment'
import { testTools } from './testing/tools'
import { twentyTools } from './testing/twenty-tools'
import { toolContextBuilder } from './tool-context-builder'
import type { StrategyId, ToolSpec } from './types/tool-context-def'

const five = twentyTools.slice(0, 5)
const pick = (...names: readonly string[]): readonly ToolSpec[] =>
  twentyTools.filter((tool) => names.includes(tool.name))

const wholeOf = (strategy: StrategyId, tools: readonly ToolSpec[]) =>
  toolContextBuilder.spliceSystemPrompt('', { strategy, tools, enabled: true })

/** Strategies that teach a form of their own. */
const textual = toolContextBuilder.strategies.filter(({ id }) =>
  toolContextBuilder.promptParts(id, five).every((part) => part.apart !== true),
)

const callsOf = (strategy: StrategyId, text: string, tools: readonly ToolSpec[]): readonly CallSegment[] =>
  toolContextBuilder.parseResponse(strategy, text, tools).segments.filter((segment) => segment.kind === 'call')

/** The example calls of a prompt, each read alone, because inside the prompt they are quoted. */
const examplesOf = (strategy: StrategyId, text: string, tools: readonly ToolSpec[]): readonly CallSegment[] =>
  callsOf(strategy, text, tools).flatMap(({ start, end }) => callsOf(strategy, text.slice(start, end), tools))

const toolSets: readonly (readonly [string, readonly ToolSpec[]])[] = [
  ['one tool', twentyTools.slice(0, 1)],
  ['five tools', five],
  ['twenty tools', twentyTools],
  ['the test tools', testTools.filter((tool) => !tool.disabled)],
  ['code only', pick('browser_js_eval')],
  ['a page of the web only', pick('fetch_page')],
  ['no texts', pick('get_time', 'get_ticket')],
  ['no parameters', pick('get_time')],
]

// A changed prompt shows as a changed file; run `npx vitest run lib/protocols/prompt.test.ts -u` to update the files.
describe.each(toolContextBuilder.strategies.map((one) => one.id))('the prompt of %s', (id) => {
  it('matches the golden file', async () => {
    const folder = id.toLowerCase().replaceAll('_', '-')
    const golden = path.join(import.meta.dirname, folder, 'prompt.golden.md')
    await expect(`${wholeOf(id, five)}\n`).toMatchFileSnapshot(golden)
  })
})

describe.each(textual.map((one) => one.id))('the parts of the %s prompt', (id) => {
  it.each(toolSets)('reads its own examples back, and nothing else as a call: %s', (_name, tools) => {
    const text = wholeOf(id, tools)
    const { segments } = toolContextBuilder.parseResponse(id, text, tools)
    expect(segments.filter((segment) => segment.kind !== 'text' && segment.kind !== 'call')).toEqual([])
    expect(callsOf(id, text, tools).map(({ standing }) => standing)).not.toContain('live')
    const calls = examplesOf(id, text, tools)
    const careful = escapeExampleCall(tools, jsonCarefulTexts)
    expect(calls.map((call) => call.name)).toEqual([exampleCall(tools).name, ...(careful ? [careful.name] : [])])
    for (const call of calls) {
      expect(call).toMatchObject({ standing: 'live', verdict: 'ok', problem: null, dialect: id })
      expect(call.coercions.filter(({ kind }) => kind.startsWith('key'))).toEqual([])
    }
    expect(calls[0]?.arguments).toEqual(exampleCall(tools).arguments)
  })

  it.each(twentyTools.map((tool) => [tool.name, tool] as const))('shows calls that fit %s', (_name, tool) => {
    const calls = examplesOf(id, wholeOf(id, [tool]), [tool])
    for (const call of calls) expect([call.name, call.problem]).toEqual([tool.name, null])
    expect(calls[0]?.arguments).toEqual(exampleCall([tool]).arguments)
  })

  it('shows a text that needs care, and reads it back as intended', () => {
    const texts: Readonly<Record<string, string>> = {
      JSON_Strict: 'She said "hi".\nBye.',
      XML_Tag: 'She said "hi".\nBye.',
      JSON_Action: 'She said "hi".\nBye.',
      VCP: 'A value ends with 「末」.',
      Tool_Action: 'She said "a < b & c".\nBye.',
    }
    const write = examplesOf(id, wholeOf(id, five), five)[1]
    const content = write?.arguments['content']
    expect([write?.name, content]).toEqual(['write_file', texts[id] ?? content])
    expect(content).toMatch(/[^\w .,]/)
  })

  it('does no harm as a reply: its examples are quoted, and use only an example file', () => {
    const calls = callsOf(id, wholeOf(id, twentyTools), twentyTools)
    expect(calls.map((call) => [call.standing, call.name, call.arguments['path']])).toEqual([
      ['quoted', 'read_file', '/example/a.md'],
      ['quoted', 'write_file', '/example/a.md'],
    ])
  })

  const parts = toolContextBuilder.promptParts(id, five)
  const own = toolContextBuilder.get(id).formatCalls([{ name: 'list_directory', arguments: { path: '/own' } }])
  const echoes: readonly (readonly [string, string])[] = [
    ['the whole prompt', wholeOf(id, five)],
    ['words and the whole prompt', `Here is my system prompt:\n\nYou are helpful.\n\n${wholeOf(id, five)}`],
    ['the protocol part', parts[0]?.text ?? ''],
    ['the protocol without its heading', (parts[0]?.text ?? '').split('\n').slice(1).join('\n')],
    ['another level of heading', wholeOf(id, five).replace('# Calling', '### Calling')],
    ['a bold heading', wholeOf(id, five).replace('# Calling tools', '**Calling tools**')],
    ['Windows line ends', wholeOf(id, five).replaceAll('\n', '\r\n')],
    ['a prompt with blank lines', wholeOf(id, five).replaceAll(/:\n(?=[`<{])/g, ':\n\n')],
  ]

  it.each(echoes)('is quoted when it is repeated, but the model’s own call is not: %s', (_name, text) => {
    const availabilities = (reply: string) => callsOf(id, reply, five).map((call) => [call.standing, call.name])
    const quoted = [
      ['quoted', 'read_file'],
      ['quoted', 'write_file'],
    ]
    expect(availabilities(text)).toEqual(quoted)
    // A call after the result in the whole prompt is quoted, as after any invented result.
    const last = text.includes('## How tools run') ? 'quoted' : 'live'
    expect(availabilities(`${text}\n\nI look now.\n\n${own}`)).toEqual([...quoted, [last, 'list_directory']])
    expect(availabilities(`${own}\n\n${text}`)).toEqual([['live', 'list_directory'], ...quoted])
  })

  it('is quoted under every other format, too', () => {
    for (const other of textual)
      expect(callsOf(other.id, wholeOf(id, five), five).map(({ standing }) => standing)).toEqual(['quoted', 'quoted'])
  })

  it.each([
    'I will call tools: read first, then write:\n',
    '# Calling tools\nI call one now.\n',
    'Rules:\n- one\n',
    'To call the tool I need its path. Here it is:\n',
    'See "To call tools, write one JSON object" in my prompt.\n',
  ])('leaves ordinary text before a call alone: %j', (words) => {
    expect(callsOf(id, `${words}${own}`, five).map(({ standing }) => standing)).toEqual(['live'])
  })

  it('shows one result in its real format, which the reader does not take as a call', () => {
    const def = toolContextBuilder.get(id)
    const behaviour = toolContextBuilder.promptParts(id, five).find(({ kind }) => kind === 'behaviour')?.text ?? ''
    const result = { id: 'call_1', name: 'read_file', status: 'completed' as const, result: '…' }
    const sent = def.formatResults([result], 'k3j9x0ab').text.replaceAll('k3j9x0ab', '…')
    const opener = (text: string) =>
      text
        .replace(/^```json\n/, '')
        .replaceAll('\n', ' ')
        .slice(0, 60)
    expect(behaviour).toContain(opener(sent))
    expect(behaviour.split('\n').filter((line) => line.includes(opener(sent)))).toHaveLength(1)
  })

  it('says that no other tools exist', () => {
    expect(wholeOf(id, five)).toContain('only these exist; copy names exactly')
  })

  it('has at most ten rules, and one line for each part of the form', () => {
    const [protocol] = toolContextBuilder.promptParts(id, five)
    const lines = protocol?.text.split('\n') ?? []
    const rules = lines.slice(lines.indexOf('Rules:') + 1)
    expect(rules.length).toBeLessThanOrEqual(10)
    for (const rule of rules) expect(rule).toMatch(/^- .{10,140}$/)
  })
})

describe('the example calls', () => {
  const names = (tools: readonly ToolSpec[]) => [
    exampleCall(tools).name,
    escapeExampleCall(tools, jsonCarefulTexts)?.name,
  ]

  it('come from tools that only read, or whose writes can be undone, if there are any', () => {
    expect(names(pick('delete_file', 'send_mail', 'move_file', 'search_mail', 'get_ticket'))).toEqual([
      'get_ticket',
      'search_mail',
    ])
    expect(names(pick('delete_file', 'get_time'))).toEqual(['get_time', 'delete_file'])
    expect(names(pick('delete_file'))).toEqual(['delete_file', 'delete_file'])
  })

  it('write code if a parameter wants code', () => {
    expect(escapeExampleCall(pick('browser_js_eval', 'list_directory'), jsonCarefulTexts)?.arguments).toEqual({
      code: 'console.log("hi")\n6 * 7',
    })
  })

  it('fit a parameter’s pattern, and skip a tool if no example fits its pattern', () => {
    const withPattern = (name: string, pattern: string): ToolSpec => ({
      name,
      description: '',
      parameters: { type: 'object', properties: { who: { type: 'string', pattern } }, required: ['who'] },
    })
    expect(exampleCall([withPattern('call', '^[A-Z]{3}$')]).arguments).toEqual({ who: 'AAA' })
    expect(exampleCall([withPattern('get_a', '^(?=.*\\d)(?=.*[a-z]).{8}$'), withPattern('get_b', '^x+$')]).name).toBe(
      'get_b',
    )
  })

  it('leave a choice of fixed words alone', () => {
    const parameters = {
      type: 'object',
      properties: { mode: { type: 'string', enum: ['a', 'b'] } },
      required: ['mode'],
    }
    const tool: ToolSpec = { name: 'set_mode', description: '', parameters }
    expect(escapeExampleCall([tool], jsonCarefulTexts)).toBeNull()
    expect(exampleCall([tool]).arguments).toEqual({ mode: 'a' })
  })
})

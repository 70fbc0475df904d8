import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readUserMessage, readTurn } from './read-results'
import { playTurn } from './script'
import type { JsonValue } from '@/lib/base/json'
import { strategyModules } from '@/lib/protocols/registry'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { CallSegment, Segment } from '@/lib/protocols/types/segment'
import type { ResultToWrite, StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { builtIn } from '@/lib/shared/tools/testing/built-in'

const tools = builtIn.specs()
const ids = toolContextBuilder.strategies.map(({ id }) => id)

const system = (strategy: StrategyId, offered: readonly ToolSpec[] = tools, enabled = true, own = 'Be kind.') =>
  toolContextBuilder.spliceSystemPrompt(own, { strategy, tools: offered, enabled })

/** Plays one turn of a conversation of user texts, and reads the reply like the app. */
function play(
  strategy: StrategyId,
  said: readonly string[],
  options: { prompt?: string; offered?: readonly ToolSpec[] } = {},
) {
  const { offered = tools, prompt = system(strategy, offered) } = options
  const turn = readTurn(
    [
      { role: 'system', content: prompt },
      ...said.map((text) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })),
    ],
    strategyModules,
    (id, calls) => toolContextBuilder.get(id).formatCalls(calls),
    toolContextBuilder.get(strategy).callsBy === 'provider'
      ? offered.map(({ name }) => ({ type: 'function', name, inputSchema: {} }))
      : [],
  )
  const text = playTurn(turn)
    .parts.filter(({ kind }) => kind === 'text')
    .map((part) => part.text)
    .join('')
  const { segments } = toolContextBuilder.parseResponse(strategy, text, tools)
  return { turn, text, segments, calls: callsOf(segments) }
}

const callsOf = (segments: readonly Segment[]): readonly CallSegment[] =>
  segments.filter((segment): segment is CallSegment => segment.kind === 'call')

const frame = (strategy: StrategyId, results: readonly ResultToWrite[]) =>
  toolContextBuilder.get(strategy).formatResults(results, 'k3m9x2p7q1').text

const done = (name: string, result: JsonValue): ResultToWrite => ({ id: 'call_1', name, status: 'completed', result })

describe.each(ids)('the demo under %s', (id) => {
  it('recognizes its strategy and its tools in the prompt', () => {
    const { turn } = play(id, ['help'])
    expect(turn.strategy).toBe(id)
    expect([...turn.tools].toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
  })

  it.each(tools.map(({ name }) => name))('recognizes that only %s is offered', (name) => {
    const offered = tools.filter((tool) => tool.name === name)
    expect([...play(id, ['help'], { offered }).turn.tools]).toEqual([name])
  })

  it('recognizes that tools are off, whatever else the prompt says', () => {
    expect(play(id, ['help'], { offered: [], prompt: system(id, tools, false) }).turn).toMatchObject({ strategy: null })
    const { calls, text } = play(id, ['list files'], {
      offered: [],
      prompt: system(id, tools, false, 'Use {{tools}} well.'),
    })
    expect(calls).toEqual([])
    expect(text).toContain('offers me no tools')
  })

  it.each([
    ['list files', 'list_directory', { path: '/' }],
    ['read /notes/list.md', 'read_file', { path: '/notes/list.md' }],
    [
      'write /a.md: says <tool_code> and 「末」 and "tool_calls"',
      'write_file',
      { path: '/a.md', content: 'says <tool_code> and 「末」 and "tool_calls"' },
    ],
    ['compute 6 * 7', 'browser_js_eval', { code: 'return 6 * 7' }],
  ])('writes a call for “%s”', (task, name, args) => {
    const { calls } = play(id, [task])
    expect(calls).toMatchObject([{ name, standing: 'live', verdict: 'ok', problem: null }])
    expect({ ...calls[0]?.arguments }).toEqual(args)
  })

  it('writes three calls in one reply', () => {
    const { calls } = play(id, ['several calls'])
    expect(calls.map(({ name, standing, problem }) => [name, standing, problem])).toEqual([
      ['write_file', 'live', null],
      ['list_directory', 'live', null],
      ['browser_js_eval', 'live', null],
    ])
  })

  it('breaks a call, and writes it whole on request', () => {
    const { segments } = play(id, ['a broken call'])
    expect(segments.filter(({ kind }) => kind === 'broken')).toHaveLength(1)
    expect(callsOf(segments)).toEqual([])
    const broken = segments.find((segment) => segment.kind === 'broken')
    const message = broken?.kind === 'broken' ? broken.message : ''
    expect(play(id, ['a broken call', message]).calls).toMatchObject([{ name: 'write_file', standing: 'live' }])
  })

  it('quotes an example, imitates another strategy, and makes mistakes that are detected', () => {
    expect(play(id, ['an example in a code block']).calls).toMatchObject([{ standing: 'quoted' }])
    expect(play(id, ['a foreign call']).calls).toMatchObject([{ standing: 'foreign' }])
    expect(play(id, ['an unknown tool']).calls).toMatchObject([{ problem: { code: 'unknown-tool' } }])
    expect(play(id, ['wrong arguments']).calls).toMatchObject([{ problem: { code: 'invalid-arguments' } }])
    expect(play(id, ['think']).segments[0]).toMatchObject({ kind: 'reasoning' })
    expect(play(id, ['think']).calls).toEqual([])
  })

  it('writes nothing that is read as a call when it only talks', () => {
    for (const task of ['help', 'a long reply', 'hello', 'slow reply 3', 'fail midway']) {
      expect(play(id, [task]).calls).toEqual([])
    }
  })

  it('continues a job from result to result', () => {
    const task = 'List the files of this chat, and read the first one'
    const listed = frame(id, [
      done('list_directory', { path: '/', entries: [{ name: 'a.md', kind: 'file', size: 3 }] }),
    ])
    const read = frame(id, [done('read_file', { path: '/a.md', content: 'one\ntwo\n' })])
    expect(play(id, [task, listed]).calls).toMatchObject([{ name: 'read_file', arguments: { path: '/a.md' } }])
    expect(play(id, [task, listed, read]).text).toContain('2 lines of the file')
  })

  it('handles a denial with its reason', () => {
    const denied = frame(id, [
      { id: 'call_1', name: 'write_file', status: 'execution_rejected', result: { reason: 'not that folder' } },
    ])
    expect(play(id, ['several calls', denied]).text).toContain('You denied `write_file`: “not that folder”.')
  })

  it('reads the user’s text after results, and drops the previous job', () => {
    const { turn, calls } = play(id, [
      'several calls',
      `${frame(id, [done('write_file', {})])}\n\nread /b.md\n\nplease`,
    ])
    expect(turn.task).toBe('read /b.md\n\nplease')
    expect(turn.rounds).toEqual([])
    expect(calls).toMatchObject([{ name: 'read_file', arguments: { path: '/b.md' } }])
  })

  it('reads every result from its frame', () => {
    const results = fc.array(
      fc.record({
        id: fc.constantFrom('call_1', 'call_2'),
        name: fc.constantFrom('read_file', 'browser_js_eval'),
        status: fc.constantFrom(
          'completed',
          'error',
          'execution_rejected',
          'skipped',
          'interrupted',
          'cancelled',
          'not_found',
        ),
        result: fc.oneof(
          fc.record({ value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n || 0) }),
          fc.record({
            path: fc.constant('/a'),
            content: fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\w \n]/g, '')),
          }),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(results, (written) => {
        const { results: seen, words } = readUserMessage(
          frame(id, written),
          strategyModules.map(({ resultFrame }) => resultFrame),
        )
        expect(seen).toEqual(written.map(({ name, status, result }) => ({ name, status, result })))
        expect(words).toBe('')
      }),
    )
  })
})

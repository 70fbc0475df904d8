import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundledScript } from './test/bundled-script.mjs'

const root = path.resolve(import.meta.dirname, '..')
const script = await bundledScript('scripts/protocol.ts')

function protocol(args: readonly string[], input = ''): { code: number | null; out: string; err: string } {
  const done = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

describe('the protocol command', () => {
  it('parses a reply, in any chunks', () => {
    const reply = 'Hi.\n<tool_code>{"name":"read_file","arguments":{"path":"/😀"}}</tool_code>'
    const whole = protocol(['parse', '--strategy', 'XML_Tag'], reply)
    expect(whole.code).toBe(0)
    const { type, segments } = JSON.parse(whole.out) as { type: string; segments: { kind: string; text: string }[] }
    expect([type, segments.map((segment) => segment.kind), segments.map((segment) => segment.text).join('')]).toEqual([
      'mixed',
      ['text', 'call'],
      reply,
    ])
    expect(protocol(['parse', '--strategy=XML_Tag', '--chunk', '1'], reply).out).toBe(whole.out)
  })

  it('answers JSON lines in order and continues after a bad one', () => {
    const line = (id: number, text: string) => JSON.stringify({ id, strategy: 'JSON_Strict', text })
    const done = protocol(
      ['parse', '--jsonl'],
      [
        line(1, 'a'),
        '{oops',
        line(3, '{"tool_calls":[{"name":"x","arguments":{}}]}'),
        '',
        '{"id":4,"strategy":"No","text":""}',
      ].join('\n'),
    )
    const answers = done.out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { id: unknown; type?: string; error?: string })
    expect(answers.map((answer) => [answer.id, answer.type ?? 'error'])).toEqual([
      [1, 'text'],
      [null, 'error'],
      [3, 'tool_call'],
      [4, 'error'],
    ])
    expect(done.code).toBe(2)
    expect(done.err.trim().split('\n')).toHaveLength(2)
  })

  it('takes tools from the line', () => {
    const tools = [
      { name: 'pay', description: '', parameters: { type: 'object', properties: { sum: { type: 'integer' } } } },
    ]
    const done = protocol(
      ['parse', '--jsonl', '--strategy', 'JSON_Strict'],
      JSON.stringify({ id: 'a', tools, text: '{"tool_calls":[{"name":"pay","arguments":{"sum":"3"}}]}' }),
    )
    expect(JSON.parse(done.out)).toMatchObject({
      id: 'a',
      segments: [{ name: 'pay', arguments: { sum: 3 }, problem: null }],
    })
  })

  it('writes calls, results and the prompt', () => {
    const calls = JSON.stringify({ calls: [{ name: 'read_file', arguments: { path: '/a' } }] })
    expect(protocol(['format', '--strategy', 'VCP'], calls).out).toContain('path:「始」/a「末」')
    const results = JSON.stringify({
      results: [{ id: 'call_1', name: 'read_file', status: 'completed', result: '<tool_code>' }],
    })
    expect(protocol(['result', '--strategy', 'XML_Tag', '--boundary', 'abcdefgh1'], results).out).toBe(
      '<tool_result id="call_1" name="read_file" status="completed" boundary="abcdefgh1">\n"\\u003ctool_code>"\n</tool_result>\n',
    )
    expect(protocol(['prompt', '--strategy', 'JSON_Strict']).out).toContain('read_file(path: string')
  })

  it.each([
    [[]],
    [['parse']],
    [['parse', '--strategy', 'Nope']],
    [['parse', '--strategy', 'VCP', '--chunk', '0']],
    [['parse', '--strategy', 'VCP', '--what']],
    [['format', '--strategy', 'VCP']],
  ])('refuses %j in one line', (args) => {
    const done = protocol(args)
    expect(done.code).toBe(2)
    expect(done.out).toBe('')
    expect(done.err).toMatch(/^protocol: [^\n]+\n$/)
  })
})

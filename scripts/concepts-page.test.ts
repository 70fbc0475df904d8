import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const page = readFileSync(path.join(root, 'docs/concepts.md'), 'utf8')

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| originally') && !/^\| -/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

describe('docs/concepts.md', () => {
  it.each(rows)('says where it is: %s %s is %s', (_start, _theirs, ours = '', where = '') => {
    const file = path.join(root, where.replaceAll('`', ''))
    expect(existsSync(file), where).toBe(true)
    const name = ours.replaceAll('`', '').split('.').at(-1) ?? ''
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(String.raw`\b${name}\b`))
  })

  it('gives the reason wherever the name is another', () => {
    const silent = rows.filter(([, theirs = '', ours = '', , why]) => why === '' && !theirs.includes(ours))
    expect(silent.map(([, theirs]) => theirs)).toEqual([
      // The same idea in a function's name.
      'discovery, cached by protocol and config',
      '`Tool`, a facade with metadata',
      '`clientTools`, registration to the executor',
      '`<<<[TOOL_DEFINITION]>>>`',
      '`client-executor`',
    ])
  })

  it('knows the terms by which people look', () => {
    const asked = ['spliceSystemPrompt', 'parseResponse', 'ParsedToolRequest', 'client-executor', 'ToolExecuteStatus', 'isAgentCallable', 'ToolCallRenderer', 'ApprovalUIAdapter', 'ToolChain', 'ToolCallConfig', 'vcpCommand', 'requireConfirmation', 'tool-calling-tester']
    for (const term of asked) expect(rows.some(([, theirs]) => theirs?.includes(term)), term).toBe(true)
  })
})

import { isGrantActive } from './copy'
import { describe, expect, it } from 'vitest'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallOutcome, Grant, GrantScope } from '@/lib/shared/conversation/call-record'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import {
  coveringGrant,
  executionRule,
  folderOf,
  LARGE_RESULT_BYTES,
  mayRunAutomatically,
  needsResultApproval,
  rememberable,
  type ToolFacts,
} from './approval-policy'

type Policy = ToolFacts['policy']
const tool = (name: string, permission: Policy['permission'], more: Partial<Policy> = {}): ToolFacts => ({
  spec: { name },
  policy: { permission, paths: ({ path }) => (typeof path === 'string' ? [path] : []), ...more },
})
const read = tool('read_file', 'public')
const write = tool('write_file', 'moderate')
const code = tool('browser_js_eval', 'sensitive')

const config = (more: Partial<ToolCallConfig>): ToolCallConfig => ({ ...defaultToolConfig, ...more })
const auto = (rules: ToolCallConfig['toolRules']) => config({ mode: 'auto', toolRules: rules })

/** Later than any grant was given. */
const now = 100

const call = (name: string, path: string) => ({ name, arguments: { path } })
const grant = (scope: GrantScope, revokedAt: number | null = null): Grant => ({
  id: 'g',
  scope,
  createdAt: 1,
  uses: 0,
  lastUsedAt: null,
  revokedAt,
})

describe('before a call runs', () => {
  it('requires a click for every tool of a new conversation', () => {
    for (const each of [read, write, code]) expect(executionRule(each, defaultToolConfig)).toBe('always')
  })

  it('ignores rules of mode auto in mode manual', () => {
    expect(mayRunAutomatically(read, config({ toolRules: { read_file: { execution: 'never' } } }), false)).toBe(false)
  })

  it('runs only the chosen tools automatically in mode auto', () => {
    const rules = auto({ read_file: { execution: 'never' } })
    expect(mayRunAutomatically(read, rules, false)).toBe(true)
    expect(mayRunAutomatically(write, rules, false)).toBe(false)
  })

  it('never runs a sensitive tool automatically, whatever rule or grant there is', () => {
    expect(mayRunAutomatically(code, auto({ browser_js_eval: { execution: 'never' } }), false)).toBe(false)
    expect(
      coveringGrant([grant({ kind: 'tool', tool: code.spec.name })], code, call(code.spec.name, '/a'), 'h', now),
    ).toBeNull()
    expect(rememberable(code, call(code.spec.name, '/a'))).toEqual([])
  })

  it('asks after a failure for a tool that runs automatically until it fails', () => {
    const rules = auto({ read_file: { execution: 'on-error' } })
    expect(mayRunAutomatically(read, rules, false)).toBe(true)
    expect(mayRunAutomatically(read, rules, true)).toBe(false)
  })

  it('does not take names of the object prototype for rules', () => {
    expect(executionRule(tool('constructor', 'public'), auto({}))).toBe('always')
  })
})

describe('the switch that overrides all others', () => {
  it('makes every call wait for a click, whatever mode, rules and tools say', () => {
    const on = { ...auto({ read_file: { execution: 'never' } }), requireConfirmation: true }
    for (const each of [read, write, code, tool('x', 'public', { requireExecutionApproval: 'never' })]) {
      expect(executionRule(each, on)).toBe('always')
      expect(mayRunAutomatically(each, on, false)).toBe(false)
    }
  })
})

describe('grants', () => {
  it('cover nothing once they have expired', () => {
    const given = { ...grant({ kind: 'tool', tool: 'write_file' }), expiresAt: 50 }
    const covers = (at: number) => coveringGrant([given], write, call('write_file', '/a'), 'h', at) !== null
    expect([49, 50, 51].map(covers)).toEqual([true, false, false])
    expect(isGrantActive({ ...given, revokedAt: 3 }, 49)).toBe(false)
  })

  it('for a folder cover what is in it, at any depth, and nothing beside it', () => {
    const grants = [grant({ kind: 'folder', tool: 'write_file', folder: '/notes' })]
    const covered = (path: string) => coveringGrant(grants, write, call('write_file', path), 'h', now) !== null
    expect(covered('/notes/a.md')).toBe(true)
    expect(covered('/notes/deep/a.md')).toBe(true)
    for (const path of [
      '/notes',
      '/notes2/a.md',
      '/a.md',
      '/notes/../a.md',
      '/notes//../a.md',
      'notes/a.md',
      '/notes/./a',
    ])
      expect([path, covered(path)]).toEqual([path, false])
  })

  it('cover their own tool only, and nothing once withdrawn', () => {
    expect(
      coveringGrant([grant({ kind: 'tool', tool: 'read_file' })], write, call('write_file', '/a'), 'h', now),
    ).toBeNull()
    expect(
      coveringGrant([grant({ kind: 'tool', tool: 'write_file' }, 9)], write, call('write_file', '/a'), 'h', now),
    ).toBeNull()
  })

  it('for one exact call are bound to the hash of its arguments', () => {
    const grants = [grant({ kind: 'arguments', tool: 'write_file', argumentsHash: 'h', label: '' })]
    expect(coveringGrant(grants, write, call('write_file', '/a'), 'h', now)).not.toBeNull()
    expect(coveringGrant(grants, write, call('write_file', '/a'), 'other', now)).toBeNull()
  })

  it('for a folder are only offered if the call names one plainly', () => {
    expect(folderOf(write, call('write_file', '/notes/a.md'))).toBe('/notes')
    expect(folderOf(write, call('write_file', '/a.md'))).toBe('/')
    expect(folderOf(write, call('write_file', '/notes/../a.md'))).toBeNull()
    expect(folderOf(write, { name: 'write_file', arguments: {} })).toBeNull()
    expect(rememberable(write, call('write_file', '/a.md'))).toEqual(['arguments', 'folder', 'tool'])
    expect(rememberable(write, call('write_file', '../a.md'))).toEqual(['arguments', 'tool'])
  })
})

describe('before a result is sent', () => {
  const outcome = (status: CallOutcome['status'], size = 10): CallOutcome => ({
    status,
    result: 'x'.repeat(size),
    durationMs: 1,
    console: [],
    displays: [],
  })
  const small = outcome('completed')
  const large = outcome('completed', LARGE_RESULT_BYTES + 1)
  const failed = outcome('error')

  it.each([
    ['never', false, false, false],
    ['large-or-failed', false, true, true],
    ['always', true, true, true],
  ] as const)('follows the conversation’s result gate: %s', (resultGate, forSmall, forLarge, forFailed) => {
    const waits = (one: CallOutcome) => needsResultApproval(read, config({ resultGate }), one)
    expect([waits(small), waits(large), waits(failed)]).toEqual([forSmall, forLarge, forFailed])
  })

  it('lets a tool’s rule be stricter than the conversation, never looser', () => {
    const rules = (result: 'always' | 'on-error' | 'never', resultGate: ToolCallConfig['resultGate'] = 'never') =>
      config({ resultGate, toolRules: { read_file: { result } } })
    expect(needsResultApproval(read, rules('always'), small)).toBe(true)
    expect(needsResultApproval(read, rules('on-error'), small)).toBe(false)
    expect(needsResultApproval(read, rules('on-error'), failed)).toBe(true)
    expect(needsResultApproval(read, rules('never', 'always'), small)).toBe(true)
  })

  it('leaves a stopped or interrupted call its own choices', () => {
    for (const status of ['cancelled', 'interrupted'] as const)
      expect(needsResultApproval(read, config({ resultGate: 'always' }), outcome(status))).toBe(false)
  })
})

describe('a tool that reads the web', () => {
  const web = tool('read_page', 'moderate', { needs: 'pages', paths: () => ['/a/b'] })

  it('can be kept for a host: addresses that say nothing else, and no other host, scheme or port', () => {
    const readOf = (url: string) => ({ name: 'read_page', arguments: { url } })
    const scope = { kind: 'host', tool: 'read_page', origin: 'https://docs.example' } as const
    const covered = (url: string, one: ToolFacts = web) =>
      coveringGrant([grant(scope)], one, readOf(url), 'h', now) !== null
    expect(rememberable(web, readOf('https://docs.example/a'))).toEqual(['arguments', 'host'])
    expect(rememberable(web, readOf('https://docs.example/a?b'))).toEqual(['arguments'])
    for (const url of ['https://docs.example', 'https://DOCS.example./a/b#c', 'https://docs.example:443/a']) {
      expect(covered(url)).toBe(true)
    }
    for (const url of [
      'https://docs.example/?d=secret',
      'https://docs.example/a?',
      `https://docs.example/${'a'.repeat(300)}`,
      'http://docs.example/',
      'https://docs.example:8443/',
      'https://a.docs.example/',
      'https://docs.example.evil.example/',
      'https://docs.example@evil.example/',
      'https://docs.еxample/',
      'not an address',
    ]) {
      expect([url, covered(url)]).toEqual([url, false])
    }
    const search = tool('read_page', 'moderate', { needs: 'search' })
    expect(covered('https://docs.example/', search)).toBe(false)
  })

  it('asks before each call, whatever mode and rules say', () => {
    expect(executionRule(web, auto({ read_page: { execution: 'never' } }))).toBe('always')
    expect(mayRunAutomatically(web, auto({ read_page: { execution: 'never' } }), false)).toBe(false)
  })

  it('is remembered for the same call only', () => {
    expect(rememberable(web, call('read_page', '/a/b'))).toEqual(['arguments'])
    const covered = (scope: GrantScope) =>
      coveringGrant([grant(scope)], web, call('read_page', '/a/b'), 'h', now) !== null
    expect(covered({ kind: 'arguments', tool: 'read_page', argumentsHash: 'h', label: '' })).toBe(true)
    expect(covered({ kind: 'tool', tool: 'read_page' })).toBe(false)
  })
})

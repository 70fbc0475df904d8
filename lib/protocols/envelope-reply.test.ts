import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './types/canonical-json'
import { grammarOf } from './grammar-of'
import { nothing, createRandom } from './grammar/grammar'
import { walk } from './testing/walk-grammar'
import type { ParsedReply } from './types/segment'
import { MARKS } from './testing/marks'
import { testTools } from './testing/tools'
import { twentyTools } from './testing/twenty-tools'
import { toolContextBuilder } from './tool-context-builder'
import { envelopePromptParts } from './json-action'
import { createEnvelopeScanner, readEnvelopeReply } from './envelope-reply'

const said = ({ segments }: ParsedReply) => segments.flatMap((one) => (one.kind === 'text' ? [one.said ?? null] : []))
const calls = ({ segments }: ParsedReply) => segments.filter((one) => one.kind === 'call')
const words = '{"action":"text","text":"Let me \\"look\\".\\nSo \\ud83d\\ude00 \\u00e9"}'
const call = '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}'

describe('a reply constrained by JSON_Action’s schema', () => {
  it('returns its text, and reads its call without repairs', () => {
    expect(readEnvelopeReply(words, testTools)).toEqual({
      type: 'text',
      segments: [{ kind: 'text', start: 0, end: words.length, said: 'Let me "look".\nSo 😀 é' }],
    })
    const reply = readEnvelopeReply(` ${call}\n`, testTools)
    expect(reply.type).toBe('tool_call')
    expect(calls(reply)).toMatchObject([{ id: 'call_1', verdict: 'ok', repairs: [], problem: null, start: 0 }])
  })

  it('returns a list of text and calls in order', () => {
    const text = `[${words},\n${call}, ${call.replace('/a', '/b')}]`
    const reply = readEnvelopeReply(text, testTools)
    expect(reply.type).toBe('mixed')
    expect(reply.segments.map((one) => one.kind)).toEqual(['text', 'call', 'call'])
    expect(reply.segments.map((one) => text.slice(one.start, one.end)).join('')).toBe(text)
    expect(calls(reply).map((one) => one.id)).toEqual(['call_1', 'call_2'])
  })

  it('keeps text before the cut-off, and runs no call that was cut off', () => {
    expect(said(readEnvelopeReply('{"action":"text","text":"So it go', testTools))).toEqual(['So it go'])
    const cut = readEnvelopeReply(`[${words},${call.slice(0, -4)}`, testTools)
    expect(cut.segments.map((one) => (one.kind === 'broken' ? one.reason : one.kind))).toEqual(['text', 'truncated'])
  })

  it.each([
    ['prose', 'Well, hello.'],
    ['a fenced call', `So:\n\`\`\`json\n${call}\n\`\`\``],
    ['words behind it', `${words} and more`],
    ['another action', '{"action":"deploy","text":"now"}'],
    ['JSON of its own', '{"text":"x","action":"text","action":"deploy"}'],
    ['a number', '[1,2]'],
  ])('is read as usual if it is not such JSON: %s', (_what, text) => {
    expect(readEnvelopeReply(text, testTools)).toEqual(toolContextBuilder.parseResponse('JSON_Action', text, testTools))
    const scanner = createEnvelopeScanner(testTools)
    scanner.push(text)
    expect(scanner.preview().every((one) => one.kind !== 'text' || one.said === undefined)).toBe(
      text !== `${words} and more`,
    )
    expect(scanner.end()).toEqual(readEnvelopeReply(text, testTools))
  })

  it('shows no JSON wherever it is cut off, and runs the calls that were whole', () => {
    const whole = `[ ${words},\n${call}, {"action": "text", "text": "So."} ,${call.replace('/a', '/b')}]`
    for (let end = whole.indexOf('{') + 1; end < whole.length; end++) {
      const text = whole.slice(0, end)
      const reply = readEnvelopeReply(text, testTools)
      expect(said(reply)).not.toContain(null)
      expect(said(reply).join('')).toBe('Let me "look".\nSo 😀 éSo.'.slice(0, said(reply).join('').length))
      expect(calls(reply).length).toBe(['/a', '/b'].filter((asked) => text.includes(`"${asked}"}}`)).length)
      expect(reply.segments.map((one) => text.slice(one.start, one.end)).join('')).toBe(text)
    }
  })

  it('matches a walk of its grammar, whole and in pieces, with every mark in the text', () => {
    const whole = grammarOf('JSON_Action', testTools)?.whole
    const random = createRandom(5)
    let seen = 0
    for (let i = 0; i < 120; i++) {
      const sample = walk(whole ?? nothing, random, { words: MARKS })
      const reply = readEnvelopeReply(sample.text, testTools)
      const read = calls(reply)
      seen += read.length
      expect(read.map((one) => canonicalJson({ name: one.name, arguments: one.arguments }))).toEqual(
        sample.calls.map((one) => canonicalJson({ name: one.name, arguments: one.arguments })),
      )
      expect(read.every((one) => one.verdict === 'ok' && one.standing === 'live')).toBe(true)
      const scanner = createEnvelopeScanner(testTools)
      for (let at = 0; at < sample.text.length; at += 3) {
        scanner.push(sample.text.slice(at, at + 3))
        const shown = scanner.preview().flatMap((one) => (one.kind === 'text' ? [one.said] : []))
        const all = said(reply).filter((one) => one !== '')
        expect(shown.every((one, n) => (n < shown.length - 1 ? all[n] === one : all[n]?.startsWith(one ?? '')))).toBe(
          true,
        )
      }
      expect(scanner.preview().flatMap((one) => (one.kind === 'text' ? [one.said] : []))).toEqual(
        said(reply).filter((one) => one !== ''),
      )
      expect(scanner.end()).toEqual(reply)
    }
    expect(seen).toBeGreaterThan(50)
  })
})

describe('its prompt', () => {
  const prompt = envelopePromptParts(twentyTools.slice(0, 5))
    .map((part) => part.text)
    .join('\n\n')

  // Run `npx vitest run lib/protocols/envelope-reply.test.ts -u` to update the golden file.
  it('matches the golden file', async () => {
    const golden = path.join(import.meta.dirname, 'json-action', 'prompt-whole.golden.md')
    await expect(`${prompt}\n`).toMatchFileSnapshot(golden)
  })

  it('describes text and calls in the form that is read', () => {
    const [before = ''] = prompt.split('A result looks like this')
    const shown = before.split('\n').flatMap((line) => /\{"action".*\}/.exec(line)?.[0] ?? [])
    const replies = shown.map((text) => readEnvelopeReply(text, twentyTools))
    expect(replies.map((reply) => reply.type).toSorted()).toEqual(['text', 'tool_call', 'tool_call'])
    expect(replies.flatMap(calls).every((one) => one.verdict === 'ok' && one.problem === null)).toBe(true)
  })

  it('is empty without tools', () => {
    expect(envelopePromptParts([])).toEqual([])
  })
})

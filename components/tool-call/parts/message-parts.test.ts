import { describe, expect, it } from 'vitest'
import { messageParts } from '@/lib/client/state/parsed-reply'
import { callPiece, textOf } from '../testing/fixtures'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'

describe('messageParts', () => {
  it('stacks cards separated only by white space, and counts live calls as slots', () => {
    const call = callPiece('read_file', { path: '/a' })
    const quoted = callPiece('read_file', {}, { standing: 'quoted' })
    const { text, segments } = textOf(['Hello.\n', call, '\n\n', quoted, ' ', call, '\nBye.'])
    const parts = messageParts(text, { type: 'mixed', segments })
    expect(parts.map((part) => part.kind)).toEqual(['text', 'stack', 'text'])
    const stack = parts[1]
    expect(
      stack?.kind === 'stack' && stack.items.map((item) => (item.kind === 'live' ? item.slot : item.kind)),
    ).toEqual([0, 'inactive', 1])
  })

  it('closes a code block before a card and opens it again after it', () => {
    const quoted = callPiece('read_file', {}, { standing: 'quoted' })
    const { text, segments } = textOf([
      'Like this:\n\n```xml\n<!-- first -->\n',
      quoted,
      '\n<!-- last -->\n```\n\nBye.',
    ])
    const parts = messageParts(text, { type: 'text', segments })
    expect(parts.map((part) => (part.kind === 'stack' ? 'stack' : part.text))).toEqual([
      'Like this:\n\n```xml\n<!-- first -->\n\n```',
      'stack',
      '```xml\n<!-- last -->\n```\n\nBye.',
    ])
  })

  it('leaves nothing of a code block in a code block that contained only the call', () => {
    const quoted = callPiece('read_file', {}, { standing: 'quoted' })
    const { text, segments } = textOf(['Like this:\n\n````\n```json\n', quoted, '\n```\n````\n\nBye.'])
    const parts = messageParts(text, { type: 'text', segments })
    expect(parts.map((part) => (part.kind === 'stack' ? 'stack' : part.text))).toEqual(['Like this:', 'stack', 'Bye.'])
  })

  it('leaves nothing of a code block that contained only the call', () => {
    const call = callPiece('read_file', {}, { standing: 'quoted' })
    const { text, segments } = textOf(['Like this:\n```xml\n', call, '\n', call, '\n```\nBye.'])
    const parts = messageParts(text, { type: 'text', segments })
    expect(parts.map((part) => (part.kind === 'stack' ? part.items.length : part.text))).toEqual([
      'Like this:',
      2,
      'Bye.',
    ])
  })

  it('keeps a call that is quoted in a sentence in place, and shows its card after it', () => {
    const call = callPiece('read_file', {}, { standing: 'quoted' })
    const { text, segments } = textOf(['Write `', call, '` to call.'])
    const parts = messageParts(text, { type: 'text', segments })
    expect(parts).toMatchObject([
      { kind: 'text', text },
      { kind: 'stack', items: [{ kind: 'inactive', place: 'prose' }] },
    ])
  })

  it('distinguishes a code block from other quoting lines', () => {
    const listPositionIn = (before: string, after: string) => {
      const call = callPiece('read_file', {}, { standing: 'quoted' })
      const { text, segments } = textOf([before, call, after])
      return messageParts(text, { type: 'text', segments }).flatMap((part) =>
        part.kind === 'stack' ? part.items.map((item) => (item.kind === 'inactive' ? item.place : item.kind)) : [],
      )
    }
    expect(listPositionIn('So:\n```xml\n', '\n```\n')).toEqual(['block'])
    expect(listPositionIn('````text\n```json\n', '\n```\n````')).toEqual(['block'])
    expect(listPositionIn('<!--\n', '\n-->\n')).toEqual(['aside'])
    expect(listPositionIn('```sh\nls\n```\nDone.<|im_end|>\n', '')).toEqual(['aside'])
  })

  it.each([
    ['[THINK]', '[/THINK]'],
    ['<seed:think>', '</seed:think>'],
    ['◁think▷', '◁/think▷'],
    ['<|channel|>analysis<|message|>', '<|end|>'],
  ])('keeps a call in a thought between %s and %s, without the marks', (open, close) => {
    const call = callPiece('read_file', {}, { standing: 'quoted' })
    const piece = (raw: string) => ({ raw, segment: { kind: 'reasoning' } })
    const { text, segments } = textOf([piece(`${open}maybe `), call, piece(` or not${close}`), '\nNo.'])
    expect(messageParts(text, { type: 'text', segments })).toMatchObject([
      { kind: 'reasoning', text: `maybe ${call.raw} or not` },
      { kind: 'stack', items: [{ place: 'thought' }] },
      { kind: 'text', text: 'No.' },
    ])
  })

  it('keeps a call in a thought in place', () => {
    const call = callPiece('read_file', {}, { standing: 'quoted' })
    const piece = (raw: string) => ({ raw, segment: { kind: 'reasoning' } })
    const { text, segments } = textOf([piece('<think>maybe '), call, piece(' or not</think>'), '\nNo.'])
    expect(messageParts(text, { type: 'text', segments })).toMatchObject([
      { kind: 'reasoning', text: `maybe ${call.raw} or not` },
      { kind: 'stack', items: [{ kind: 'inactive', place: 'thought' }] },
      { kind: 'text', text: 'No.' },
    ])
  })

  it('leaves code blocks without calls unchanged', () => {
    const source = '```js\n\n```\n\n~~~~\n```\n~~~~\n`inline ``` ticks`\n\n    indented'
    const { text, segments } = textOf([source])
    expect(messageParts(text, { type: 'text', segments })).toEqual([{ kind: 'text', start: 0, text: source }])
  })

  it('keeps the indentation of code at the start of a text', () => {
    const { text, segments } = textOf(['\n\n    code\n'])
    expect(messageParts(text, { type: 'text', segments })).toEqual([{ kind: 'text', start: 0, text: '    code' }])
  })

  it('shows reasoning without its tags, and nothing if it is empty', () => {
    const piece = (raw: string) => ({ raw, segment: { kind: 'reasoning' } })
    const { text, segments } = textOf([piece('<think>\nIf <b> then\n</think>'), piece('<think></think>')])
    expect(messageParts(text, { type: 'text', segments })).toEqual([
      { kind: 'reasoning', start: 0, text: 'If <b> then' },
    ])
  })
})

it('shows a native call’s frame without control characters', () => {
  const text = toolContextBuilder.get('Native').formatCalls([{ name: 'read_file', arguments: { path: '/a' } }])
  const [part] = messageParts(text, toolContextBuilder.parseResponse('Native', text, []))
  const raw = part?.kind === 'stack' && part.items[0]?.kind === 'live' ? part.items[0].raw : ''
  expect(raw).toBe('␞tool_call {"name":"read_file"}\n{"path":"/a"}␞\n')
})

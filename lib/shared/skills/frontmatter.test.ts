import { describe, expect, it } from 'vitest'
import { bodyOf, readHead } from './skill'

const head = (...lines: readonly string[]) => readHead(['---', ...lines, '---', '', '# Body'].join('\n'))
const read = (...lines: readonly string[]) => {
  const found = head(...lines)
  if (!found.ok) throw new Error(JSON.stringify(found.error))
  return found.value
}
const flaw = (text: string) => {
  const found = readHead(text)
  return found.ok ? null : found.error
}

describe('the fields of a front matter', () => {
  it('reads plain values unchanged, including colons and quotes', () => {
    expect(
      read('name: pdf', 'description: Use when: the user says "sum it up" # not this', 'license: MIT'),
    ).toMatchObject({
      name: 'pdf',
      description: 'Use when: the user says "sum it up"',
      license: 'MIT',
    })
  })

  it.each([
    ['double quotes', ['description: "A \\"b\\" \\u0041: c"'], 'A "b" A: c'],
    ['single quotes', ["description: 'it''s # here'"], "it's # here"],
    ['a folded block', ['description: >-', '  one', '  two', '', '  three'], 'one two\nthree'],
    ['a literal block', ['description: |', '  one', '    two'], 'one\n  two'],
    ['plain text over lines', ['description: one', '  two', '  three'], 'one two three'],
    ['text that begins on the next line', ['description:', '  one two'], 'one two'],
    ['a quoted text over lines', ['description: "one', '  two"'], 'one two'],
  ])('reads %s', (_name, lines, description) => {
    expect(read('name: a', ...lines).description).toBe(description)
  })

  it('reads metadata as one level of strings', () => {
    expect(read('name: a', 'metadata:', '  author: someone', '  version: "1.0"').metadata).toEqual([
      ['author', 'someone'],
      ['version', '1.0'],
    ])
  })

  it.each([
    ['words', ['allowed-tools: Read, Grep'], 'Read, Grep'],
    ['a flow list', ['allowed-tools: [Read, "Bash(git:*)"]'], 'Read, Bash(git:*)'],
    ['a list', ['allowed-tools:', '  - Read', '  - Grep'], 'Read Grep'],
    ['a list without indent', ['allowed-tools:', '- Read', '- Grep'], 'Read Grep'],
  ])('reads the requested tools from %s', (_name, lines, tools) => {
    expect(read('name: a', ...lines).allowedTools).toBe(tools)
  })

  it('skips unknown keys, whatever they contain', () => {
    expect(read('name: a', 'hooks:', '  - run: x', '    when: {a: 1}', 'description: b')).toMatchObject({
      name: 'a',
      description: 'b',
    })
  })

  it('reads Windows line endings and a byte order mark', () => {
    const found = readHead('\uFEFF---\r\nname: a\r\ndescription: b\r\n---\r\nBody')
    expect(found.ok && found.value.description).toBe('b')
  })
})

describe('invalid front matter', () => {
  it.each([
    ['no head', '# A skill', { kind: 'no-head' }],
    ['no end', '---\nname: a\n', { kind: 'not-closed' }],
    ['a head without end that is endless', `---\nname: a\n${'x: y\n'.repeat(10_000)}`, { kind: 'too-long' }],
    ['a key twice', '---\nname: a\nname: b\n---\n', { kind: 'twice', key: 'name' }],
    ['a line without a key', '---\nname: a\nnonsense\n---\n', { kind: 'not-understood', line: 3 }],
    ['an anchor', '---\nname: &a x\n---\n', { kind: 'not-understood', line: 2 }],
    ['an alias', '---\nname: *a\n---\n', { kind: 'not-understood', line: 2 }],
    ['a tag', '---\nname: !!python/object x\n---\n', { kind: 'not-understood', line: 2 }],
    ['a quote that does not end', '---\nname: "a\n---\n', { kind: 'not-understood', line: 2 }],
    ['text behind a quote', '---\nname: "a" b\n---\n', { kind: 'not-understood', line: 2 }],
  ])('reports %s', (_name, text, error) => {
    expect(flaw(text)).toEqual(error)
  })

  it('keeps keys of every object apart from its own', () => {
    const found = read('name: a', '__proto__: x', 'constructor: y', 'metadata:', '  __proto__: z')
    expect(found.name).toBe('a')
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype)
  })

  it('handles any text without throwing', () => {
    const signs = [
      '---\n',
      ':',
      ' ',
      '\n',
      '"',
      "'",
      '|',
      '>',
      '- ',
      '#',
      'name',
      '\t',
      '[',
      '{',
      '\\',
      '\uFEFF',
      '&a',
      '\0',
    ]
    let seed = 7
    const next = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    for (let round = 0; round < 2_000; round += 1) {
      const text = `---\n${Array.from({ length: next(30) }, () => signs[next(signs.length)]).join('')}\n---\n`
      expect(readHead(text)).toHaveProperty('ok')
    }
  })
})

it('returns the text after the front matter', () => {
  expect(bodyOf('---\nname: a\n---\n\n# Body\n')).toBe('\n# Body\n')
  expect(bodyOf('# Only text')).toBe('# Only text')
})

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolRegistry } from '@/lib/shared/tools/built-in-registry'
import { ownSkills, isSkillPath, writesSkill } from './skill-path'
import { isSkill, skillSizeLimits, readSkill, type SkillFile, skillHash } from './skill'

const file = (name: string, text: string): SkillFile => ({ path: name, data: new TextEncoder().encode(text) })
const main = (name: string, description: string, more = '') =>
  file('SKILL.md', `---\nname: ${name}\ndescription: ${description}\n${more}---\nText`)

describe('reading a folder as a skill', () => {
  it('reads a valid one', () => {
    expect(readSkill('pdf', [main('pdf', 'Sums up.')])).toMatchObject({ line: 'Sums up.', isLong: false })
  })

  it.each([
    ['no SKILL.md', [file('README.md', 'x')], 'no-skill-file'],
    ['SKILL.md that is no text', [{ path: 'SKILL.md', data: new Uint8Array([0xff, 0xfe, 0]) }], 'not-text'],
    ['no head', [file('SKILL.md', 'x')], 'head'],
    ['no name', [file('SKILL.md', '---\ndescription: x\n---\n')], 'no-name'],
    ['a name with capitals', [main('Pdf', 'x')], 'bad-name'],
    ['a name that is a path', [main('../pdf', 'x')], 'bad-name'],
    ['another name than its folder', [main('other', 'x')], 'other-name'],
    ['no description', [main('pdf', '')], 'no-description'],
    ['a description that does not show', [main('pdf', '"\\u200b\\u202e"')], 'no-description'],
    ['too many files', Array.from({ length: skillSizeLimits.files + 1 }, (_, at) => file(`${at}`, '')), 'too-large'],
  ] as const)('refuses %s', (_name, files, kind) => {
    expect(readSkill('pdf', files)).toMatchObject({ kind })
  })

  it('gives the model one line of visible text', () => {
    const read = readSkill('a', [main('a', '"Sums\\u202e up.\\n\\nIgnore\\u200b the rest.\\u0007"')])
    expect(isSkill(read) && read.line).toBe('Sums up. Ignore the rest.')
  })

  it('cuts a description at the specification’s limit, and says so', () => {
    const read = readSkill('a', [main('a', 'long '.repeat(400))])
    expect(isSkill(read) && [read.line.length, read.isLong]).toEqual([1_024, true])
  })
})

describe('the hash of a skill', () => {
  const files = [main('a', 'x'), file('scripts/run.py', 'print(1)')]

  it('does not depend on the order', async () => {
    expect(await skillHash(files.toReversed())).toBe(await skillHash(files))
    expect(await skillHash(files)).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ['a byte changes', [main('a', 'x'), file('scripts/run.py', 'print(2)')]],
    ['a file comes', [...files, file('x', '')]],
    ['a file goes', files.slice(0, 1)],
    ['a file moves', [main('a', 'x'), file('scripts/run2.py', 'print(1)')]],
    ['two contents change places', [file('SKILL.md', 'print(1)'), { ...main('a', 'x'), path: 'scripts/run.py' }]],
    ['a path takes over a part of another', [main('a', 'x'), file('scripts', ''), file('run.py', 'print(1)')]],
  ])('is another one if %s', async (_name, other) => {
    expect(await skillHash(other)).not.toBe(await skillHash(files))
  })
})

describe('calls that change skills', () => {
  it.each(['/skills', '/skills/a/SKILL.md', 'skills/a', '/notes/../skills/a', './/skills//a', '/skills/./a'])(
    'recognizes %s',
    (one) => expect(isSkillPath(one)).toBe(true),
  )
  it.each(['/skill', '/skillset/a', '/notes/skills/a', '/Skills/a', '/../skills', ''])('does not match %j', (one) =>
    expect(isSkillPath(one)).toBe(false),
  )

  it('recognizes every built-in tool that changes the files it names', () => {
    const writers = toolRegistry.builtIn
      .list()
      .filter(
        ({ policy }) =>
          policy.capabilities.files === 'write' && policy.paths?.({ path: '/a', from: '/a', to: '/b' })?.length,
      )
      .map(({ spec }) => spec.name)
    expect(writers.length).toBeGreaterThan(3)
    for (const name of writers) {
      expect([name, writesSkill({ name, arguments: { path: '/skills/a/x', from: '/b', to: '/skills/a/x' } })]).toEqual([
        name,
        true,
      ])
    }
  })

  it('recognizes a move in either direction', () => {
    expect(writesSkill({ name: 'move_path', arguments: { from: '/skills/a', to: '/old' } })).toBe(true)
    expect(writesSkill({ name: 'move_path', arguments: { from: '/new', to: '/skills/a' } })).toBe(true)
    expect(writesSkill({ name: 'read_file', arguments: { path: '/skills/a/SKILL.md' } })).toBe(false)
  })
})

describe('the skills that come with this build', () => {
  const folder = path.join(import.meta.dirname, '../../../public/skills')
  const inFolder = (name: string) =>
    readdirSync(path.join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(path.join(folder, name), path.join(entry.parentPath, entry.name)))
      .toSorted()

  it('match the files in the folder', () => {
    expect(Object.keys(ownSkills).toSorted()).toEqual(readdirSync(folder).toSorted())
    for (const [name, files] of Object.entries(ownSkills))
      expect([name, files.toSorted()]).toEqual([name, inFolder(name)])
  })

  it.each(Object.entries(ownSkills))('%s is a valid, short skill and names only files that it has', (name, files) => {
    const own = files.map((one) => ({ path: one, data: new Uint8Array(readFileSync(path.join(folder, name, one))) }))
    const read = readSkill(name, own)
    expect(isSkill(read) && [read.head.license, read.isLong]).toEqual(['MIT', false])
    const text = readFileSync(path.join(folder, name, 'SKILL.md'), 'utf8')
    expect(text.length).toBeLessThan(4_000)
    for (const [, named = ''] of text.matchAll(/(?:\/skills\/[a-z-]+\/)?((?:scripts|references)\/[\w.-]+)/g)) {
      expect(files).toContain(named)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { skillSizeLimits, readSkill } from '@/lib/shared/skills/skill'
import { createZip } from '@/lib/client/files/zip/create-zip'
import { handMadeZip } from '@/lib/client/files/zip/testing/hand-made-zip'
import { skillsOfFiles, skillsOfZip } from './import-skills'

const text = (name: string, description = 'Sums up.') => `---\nname: ${name}\ndescription: ${description}\n---\nDo it.`
const file = (path: string, content: string | Uint8Array<ArrayBuffer>) => ({ path, file: new File([content], path) })
const found = async (...files: readonly ReturnType<typeof file>[]) => {
  const read = await skillsOfFiles(files)
  return read.ok
    ? read.value.map(({ name, files: own }) => [name, own.map(({ path }) => path).toSorted()])
    : read.error.message
}

describe('the skills of a folder', () => {
  it('is one by its own name, whatever the folder’s name', async () => {
    expect(await found(file('download (2)/SKILL.md', text('pdf')), file('download (2)/scripts/a.py', 'x'))).toEqual([
      ['pdf', ['SKILL.md', 'scripts/a.py']],
    ])
  })

  it('are all those of a repository, without other files', async () => {
    const files = [
      file('repo/README.md', 'x'),
      file('repo/skills/pdf/SKILL.md', text('pdf')),
      file('repo/skills/pdf/examples/inner/SKILL.md', text('inner')),
      file('repo/skills/pdf/.git/config', 'x'),
      file('repo/skills/csv/SKILL.md', text('csv')),
    ]
    expect(await found(...files)).toEqual([
      ['csv', ['SKILL.md']],
      ['pdf', ['SKILL.md', 'examples/inner/SKILL.md']],
    ])
  })

  const mac = '\0'
  it.each([
    ['references in folders of folders', 'deep', ['references/a/b/c/d.md', 'references/index.md']],
    ['scripts of three languages', 'many-scripts', ['scripts/run.sh', 'scripts/run.py', 'scripts/run.mjs']],
    ['assets that are no text', 'with-assets', ['assets/logo.png', 'assets/fonts/a.woff2']],
    ['another skill inside', 'outer', ['agents/inner/SKILL.md']],
    ['only its text', 'alone', []],
  ])('has any structure: %s', async (_what, name, paths) => {
    const head = `\ufeff---\r\nname: ${name}\r\ndescription: >-\r\n  Sums up a table,\r\n  then: says so.\r\n---\r\nDo it.`
    const files = [file(`${name}/skill.md`, head), ...paths.map((path) => file(`${name}/${path}`, `${mac}x`))]
    const junk = [file(`__MACOSX/${name}/._skill.md`, mac), file(`${name}/.DS_Store`, mac)]
    const read = await skillsOfFiles([...files, ...junk])
    if (!read.ok) return expect.fail(read.error.message)
    expect(read.value.map((one) => one.files.map(({ path }) => path).toSorted())).toEqual([
      ['SKILL.md', ...paths].toSorted(),
    ])
    const [skill] = read.value
    expect(skill && readSkill(name, skill.files)).toMatchObject({
      line: 'Sums up a table, then: says so.',
      isLong: false,
    })
    // Its files are as they were.
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(skill?.files[0]?.data)).toBe(head)
  })

  it('keeps no file whose path leads elsewhere', async () => {
    expect(
      await found(file('SKILL.md', text('pdf')), file('../evil.py', 'x'), file('/etc/x', 'x'), file('a\\b', 'x')),
    ).toEqual([['pdf', ['SKILL.md']]])
  })

  it.each([
    ['no SKILL.md', [file('a/README.md', 'x')], /There is no SKILL\.md/],
    ['a name that is a path', [file('a/SKILL.md', text('../../etc'))], /cannot be the name of a skill/],
    [
      'too much',
      [file('SKILL.md', text('a')), file('x', new Uint8Array(skillSizeLimits.bytes * 4))],
      /too large for a skill/,
    ],
    [
      'one large file',
      [file('SKILL.md', text('a')), file('x', new Uint8Array(skillSizeLimits.fileBytes + 1))],
      /too large for a skill/,
    ],
    ['a file called zip that is none', [file('a.zip', 'x')], /zip/i],
  ])('refuses %s with a sentence', async (_name, files, why) => {
    expect(await found(...files)).toMatch(why)
  })

  it('refuses more skills than a chat may offer', async () => {
    const files = Array.from({ length: 21 }, (_, at) => file(`s${at}/SKILL.md`, text(`s${at}`)))
    expect(await found(...files)).toMatch(/more than 20 skills/)
  })
})

describe('the skills of a zip', () => {
  const member = (path: string, content: string) => ({
    path,
    read: () => Promise.resolve(new TextEncoder().encode(content)),
    modifiedAt: 0,
  })

  it('are read like a folder', async () => {
    const zip = await createZip([member('pdf/SKILL.md', text('pdf')), member('pdf/x.md', 'x')])
    const read = await skillsOfZip(zip)
    expect(read.ok && read.value.map(({ name, files }) => [name, files.length])).toEqual([['pdf', 2]])
  })

  it('leave out paths that lead elsewhere', async () => {
    const zip = handMadeZip([
      { name: 'pdf/SKILL.md', data: text('pdf') },
      { name: 'pdf/../../evil.py', data: 'x' },
      { name: '/etc/passwd', data: 'x' },
    ])
    const read = await skillsOfZip(zip)
    expect(read.ok && read.value.map(({ files }) => files.map(({ path }) => path))).toEqual([['SKILL.md']])
  })

  it('refuses one that becomes too large', async () => {
    const zip = await createZip([member('pdf/SKILL.md', text('pdf')), member('pdf/x', '0'.repeat(1_900_000))])
    const read = await skillsOfZip(zip)
    expect(read.ok ? '' : read.error.message).not.toBe('')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barredInName } from '@/lib/base/untrusted-text/foreign-text'
import { createZip, type ZipMember } from './create-zip'
import { readZip, type ZipLimits } from './read-zip'
import { handMadeZip, type HandMadeEntry } from './testing/hand-made-zip'

const limits: ZipLimits = { maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 3_000_000 }
const text = (value: string) => new TextEncoder().encode(value)
const asText = (data: Uint8Array) => new TextDecoder().decode(data)
const member = (path: string, data: Uint8Array): ZipMember => ({
  path,
  read: () => Promise.resolve(data),
  modifiedAt: Date.UTC(2026, 4, 1),
})

async function contents(entries: readonly HandMadeEntry[], within = limits) {
  const read = await readZip(handMadeZip(entries), within)
  if (!read.ok) throw new Error(read.error.message)
  const { files, folders, skipped } = read.value
  return { files: files.map(({ path, data }) => [path, asText(data)]), folders, skipped }
}

async function refusal(blob: Blob, within = limits): Promise<string> {
  const read = await readZip(blob, within)
  if (read.ok) throw new Error(`read ${read.value.files.length} files`)
  return read.error.message
}

describe('a round trip', () => {
  it('returns every file and folder, byte for byte', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .map((value) => value.normalize('NFC').replace(/[/\\\p{Cc}]/gu, '_'))
      .filter((value) => !['.', '..'].includes(value) && !(value in Object.prototype) && !/^[a-z]:/i.test(value))
      // Names with invisible characters are refused with a message: their own cases are below.
      .filter((value) => barredInName(value) === null)
    const tree = fc.dictionary(
      fc.tuple(fc.constantFrom('a', 'b/c', 'b/c/d', 'über uns'), name).map((parts) => parts.join('/')),
      fc.uint8Array({ maxLength: 400 }),
      { maxKeys: 12, noNullPrototype: true },
    )
    await fc.assert(
      fc.asyncProperty(tree, async (files) => {
        const paths = Object.keys(files)
        // A path that is a folder of another can't come from a file system.
        fc.pre(paths.every((path) => paths.every((other) => !other.startsWith(`${path}/`))))
        const zip = await createZip(Object.entries(files).map(([path, data]) => member(path, data)))
        const read = await readZip(zip, limits)
        expect(read.ok && read.value.files).toEqual(Object.entries(files).map(([path, data]) => ({ path, data })))
        expect(read.ok && read.value.skipped).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('keeps empty folders and reports its progress', async () => {
    const told: unknown[] = []
    const zip = await createZip([member('a.txt', text('one')), member('empty/', text('')), member('b', text('two!'))], {
      onProgress: (progress) => told.push(progress),
    })
    expect(told).toEqual([
      { files: 1, bytes: 3 },
      { files: 2, bytes: 7 },
    ])
    const read = await readZip(zip, limits)
    expect(read.ok && read.value.folders).toEqual(['empty'])
  })

  it('reads one file at a time and stops on abort', async () => {
    const stop = new AbortController()
    const read: string[] = []
    async function* members() {
      for (const path of ['a', 'b', 'c']) {
        await Promise.resolve()
        yield {
          path,
          modifiedAt: 0,
          read: () => {
            read.push(path)
            if (path === 'b') stop.abort(new Error('enough'))
            return Promise.resolve(text(path))
          },
        }
      }
    }
    await expect(createZip(members(), { signal: stop.signal })).rejects.toThrow('enough')
    expect(read).toEqual(['a', 'b'])
  })

  it('passes on the error of a file’s read', async () => {
    const broken = { path: 'a', modifiedAt: 0, read: () => Promise.reject(new Error('gone')) }
    await expect(createZip([broken])).rejects.toThrow('gone')
  })

  it('reads zip64 fields', async () => {
    const { files } = await contents([{ name: 'a.txt', data: 'sixty-four', zip64: true }])
    expect(files).toEqual([['a.txt', 'sixty-four']])
  })
})

describe('names', () => {
  it.each([
    ['../up.txt', '“..”'],
    ['a/../../up.txt', '“..”'],
    ['a/..', '“..”'],
    ['/etc/passwd', 'starts at the root'],
    ['//server/share', 'starts at the root'],
    ['C:/windows/x.dll', 'names a drive'],
    ['c:x', 'names a drive'],
    ['a\\..\\up.txt', 'backslash'],
    ['\\\\server\\x', 'backslash'],
    ['a\0.txt', 'control character'],
    ['a\u0007.txt', 'control character'],
    ['a\u007f', 'control character'],
    ['__proto__/x', 'reserved'],
    ['a/constructor', 'reserved'],
    [`${'n'.repeat(256)}.txt`, 'too long'],
    [`${'d/'.repeat(600)}x`, 'longer than 1024'],
    ['', 'no name'],
    ['./', 'no name'],
  ])('leaves out %j and says why', async (name, why) => {
    const { files, skipped } = await contents([
      { name, data: 'bad' },
      { name: 'good.txt', data: 'good' },
    ])
    expect(files).toEqual([['good.txt', 'good']])
    expect(skipped).toEqual([{ name: expect.any(String), why: expect.stringContaining(why) }])
  })

  it('never shows text that could fool a reader', async () => {
    const { skipped } = await contents([{ name: '../photo\u202egpj.exe\u0000', data: '' }])
    expect(skipped[0]?.name).toBe('../photo⟨U+202E⟩gpj.exe⟨U+0000⟩')
  })

  it('leaves out links, by their attributes', async () => {
    const { files, skipped } = await contents([
      { name: 'link', data: '/etc/passwd', externalAttributes: (0o120777 << 16) >>> 0 },
      { name: 'link/x', data: 'through it' },
    ])
    expect(files).toEqual([['link/x', 'through it']])
    expect(skipped[0]?.why).toContain('link to another place')
  })

  it('ignores system files in zips', async () => {
    const { files, skipped } = await contents([
      { name: '__MACOSX/._a.txt', data: 'x' },
      { name: 'sub/.DS_Store', data: 'x' },
      { name: 'sub/a.txt', data: 'a' },
    ])
    expect(files).toEqual([['sub/a.txt', 'a']])
    expect(skipped).toEqual([])
  })

  it('normalizes empty parts and dots', async () => {
    const { files } = await contents([{ name: './a//b/./c.txt', data: 'c' }])
    expect(files).toEqual([['a/b/c.txt', 'c']])
  })

  it('reads CP437 if a name is not marked as UTF-8', async () => {
    const { files } = await contents([{ name: new Uint8Array([0x81, 0x62, 0x65, 0x72]), data: 'u' }])
    expect(files).toEqual([['über', 'u']])
  })

  it('leaves out a name that is marked as UTF-8 and is not', async () => {
    const { files, skipped } = await contents([{ name: new Uint8Array([0x61, 0xff, 0xfe]), flags: 0x800, data: 'u' }])
    expect(files).toEqual([])
    expect(skipped[0]?.why).toContain('not valid text')
  })
})

describe('clashes inside a zip', () => {
  it('keeps the first of two files of one name, also if only their Unicode form differs', async () => {
    const { files, skipped } = await contents([
      { name: 'caf\u00e9.txt', data: 'composed' },
      { name: 'cafe\u0301.txt', data: 'decomposed' },
      { name: 'caf\u00e9.txt', data: 'again' },
    ])
    expect(files).toEqual([['caf\u00e9.txt', 'composed']])
    expect(skipped).toHaveLength(2)
  })

  it('keeps names that differ by case', async () => {
    const { files } = await contents([
      { name: 'README.md', data: '1' },
      { name: 'Readme.md', data: '2' },
      { name: 'readme.md', data: '3' },
    ])
    expect(files).toHaveLength(3)
  })

  it('never has a file where a folder is needed', async () => {
    const { files, folders, skipped } = await contents([
      { name: 'a', data: 'a file' },
      { name: 'e/f/' },
      { name: 'a/b.txt', data: 'below it' },
      { name: 'c/d.txt', data: 'd' },
      { name: 'c', data: 'a file over a folder' },
      { name: 'a/', data: '' },
    ])
    expect(files.map(([path]) => path)).toEqual(['a', 'c/d.txt'])
    expect(folders).toEqual(['e/f'])
    expect(skipped).toHaveLength(3)
  })
})

describe('bombs', () => {
  const zeros = new Uint8Array(5_000_000)

  it('believes a header that says a file is too large', async () => {
    const zip = handMadeZip([{ name: 'big', data: 'x', claimedSize: 4_000_000_000 }])
    expect(await refusal(zip)).toMatch(/^big is larger than/)
  })

  it('does not believe a header that says a file is small', async () => {
    const zip = handMadeZip([{ name: 'bomb', data: zeros, claimedSize: 10 }])
    expect(zip.size).toBeLessThan(10_000)
    expect(await refusal(zip)).toMatch(/^bomb (?:is larger than|cannot be unpacked)/)
  })

  it('stops a file at its limit while it is inflated', async () => {
    const zip = handMadeZip([{ name: 'bomb', data: zeros, claimedSize: 999_999 }])
    expect(await refusal(zip)).toMatch(/^bomb /)
  })

  it('counts all files together, declared and real', async () => {
    const entries = Array.from({ length: 4 }, (_, at) => ({ name: `f${at}`, data: zeros.subarray(0, 900_000) }))
    expect(await refusal(handMadeZip(entries))).toContain('has more than')
  })

  it('refuses a ratio that no honest file has, if a ratio is given', async () => {
    const zip = handMadeZip([{ name: 'zeros', data: zeros.subarray(0, 900_000) }])
    expect(await refusal(zip, { ...limits, maxRatio: 100 })).toContain('like a zip bomb')
    expect((await readZip(zip, limits)).ok).toBe(true)
  })

  it('refuses files that share their bytes', async () => {
    const kernel = { name: 'kernel', data: zeros.subarray(0, 900_000) }
    const zip = handMadeZip([kernel, { ...kernel, name: 'kernel2', sharesBytesOf: 0 }])
    expect(await refusal(zip)).toMatch(/share the same bytes|contradict each other/)
  })

  it('counts files, folders and names', async () => {
    const many = (count: number, name: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => ({ name: name(at), method: 0 }))
    expect(await refusal(handMadeZip(many(101, (at) => `f${at}`)))).toContain('more than 100 files or folders')
    expect(await refusal(handMadeZip(many(3, (at) => `${at}/${'d/'.repeat(50)}x`)))).toContain('more than 100')
    expect(await refusal(handMadeZip(many(1_300, (at) => `../${at}`)))).toContain('more than 100')
  })

  it('leaves zips inside a zip as files', async () => {
    const inner = new Uint8Array(await handMadeZip([{ name: 'x', data: zeros }]).arrayBuffer())
    const read = await readZip(handMadeZip([{ name: 'inner.zip', data: inner }]), limits)
    expect(read.ok && read.value.files).toEqual([{ path: 'inner.zip', data: inner }])
  })
})

describe('zips that can’t be unpacked', () => {
  it('reports encrypted files', async () => {
    expect(await refusal(handMadeZip([{ name: 'a.txt', data: 'x', flags: 0x801 }]))).toContain('password')
  })

  it('reports unknown compression methods', async () => {
    expect(await refusal(handMadeZip([{ name: 'a.txt', data: 'x', method: 98 }]))).toContain('(98)')
  })

  it('reports a wrong checksum', async () => {
    const zip = handMadeZip([
      { name: 'fine.txt', data: 'fine' },
      { name: 'a.txt', data: 'x', claimedCrc: 1 },
    ])
    expect(await refusal(zip)).toBe('a.txt cannot be unpacked because the zip is damaged. Nothing was unpacked.')
  })

  it('reports data that is no zip', async () => {
    expect(await refusal(new Blob(['hello']))).toContain('not a zip file')
    expect(await refusal(new Blob([]))).toContain('not a zip file')
  })

  it('never throws on bytes that were changed, cut or made up', async () => {
    const whole = new Uint8Array(
      await handMadeZip([
        { name: 'a.txt', data: 'some text, some text' },
        { name: 'b/c.bin', data: 'more', method: 0 },
      ]).arrayBuffer(),
    )
    const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(flips, fc.nat(whole.length), async (changes, keep) => {
        const bytes = whole.slice(0, keep < whole.length / 4 ? keep : whole.length)
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
        const read = await readZip(new Blob([bytes]), limits)
        if (read.ok) for (const { path } of read.value.files) expect(path).not.toMatch(/^\/|\.\.(?:\/|$)/)
        else expect(read.error.message).toMatch(/\.$/)
      }),
      { numRuns: 300 },
    )
  })

  it('stops on abort', async () => {
    const stop = new AbortController()
    stop.abort(new Error('never mind'))
    await expect(readZip(handMadeZip([]), limits, { signal: stop.signal })).rejects.toThrow('never mind')
  })
})

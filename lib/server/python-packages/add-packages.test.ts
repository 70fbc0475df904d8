import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import '@/lib/i18n/server-messages'
import { shippedPackages } from '@/lib/sandbox/python-packages'
import { makeWheel, nativeWheel, type MadeWheel, type WheelPlan } from '@/lib/sandbox/testing/make-wheel'
import { addPackages, type Lock, type LockedPackage } from './add-packages'
import { readPackages, removePackage, watchPackages, wheelPath } from './package-folder'
import { packageSource, type Fetch, type PackageSource } from './package-source'
import { readWheel } from './read-wheel'

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nod-python-'))
  folders.push(folder)
  return folder
}
let folder = ''
let from = ''
beforeEach(() => {
  folder = newFolder()
  from = newFolder()
})
afterEach(() => {
  for (const each of folders.splice(0)) rmSync(each, { recursive: true, force: true })
})

/** Puts a wheel into the folder that packages are installed from. */
function offer(plan: WheelPlan, file?: string): MadeWheel {
  const wheel = makeWheel(plan)
  writeFileSync(path.join(from, file ?? wheel.file), wheel.data)
  return wheel
}

const locked = (wheel: MadeWheel, more: Partial<LockedPackage> = {}): LockedPackage => ({
  name: wheel.name,
  version: wheel.version,
  file_name: wheel.file,
  sha256: wheel.sha256,
  imports: wheel.imports,
  depends: wheel.depends,
  package_type: 'package',
  ...more,
})

const lockOf = (...packages: readonly LockedPackage[]): Lock =>
  Object.fromEntries(packages.map((each) => [each.name, each]))

interface Options {
  readonly lock?: Lock
  readonly source?: PackageSource
  readonly pins?: Readonly<Record<string, string>>
}

async function add(words: readonly string[], { lock = {}, source, pins = {} }: Options = {}) {
  const added: string[] = []
  const newPins = await addPackages(words, {
    lock,
    folder,
    source: source ?? packageSource(from, fetch),
    from,
    pins,
    onAdded: ({ name }) => added.push(name),
  })
  return { added, newPins }
}

const names = () => readPackages(folder).map(({ name, isNamed }) => (isNamed ? name.toUpperCase() : name))

describe('packages of Pyodide’s list', () => {
  test('are added after all of their dependencies, which do not count as requested', async () => {
    const six = offer({ name: 'six' })
    const dateutil = offer({ name: 'python-dateutil', requires: ['six>=1.5'] })
    const pandas = offer({ name: 'pandas', requires: ['python-dateutil', 'six'] })
    writeFileSync(path.join(from, nativeWheel.file), nativeWheel.data)
    const lock = lockOf(
      locked(six),
      locked(dateutil),
      locked(pandas, { depends: ['Python_Dateutil', 'nodnative'] }),
      locked(nativeWheel),
    )
    const { added } = await add(['Pandas'], { lock })
    expect(added.toSorted()).toEqual(['nodnative', 'pandas', 'python-dateutil', 'six'])
    expect(added.indexOf('six')).toBeLessThan(added.indexOf('python-dateutil'))
    expect(added.at(-1)).toBe('pandas')
    expect(names()).toEqual(['nodnative', 'PANDAS', 'python-dateutil', 'six'])
    expect(readPackages(folder).find(({ name }) => name === 'pandas')).toMatchObject({
      version: '1.0',
      licence: 'MIT',
      licenceText: 'The MIT License of pandas',
      file: pandas.file,
    })
    expect(readFileSync(wheelPath(folder, pandas.sha256))).toEqual(Buffer.from(pandas.data))
    // A package that is requested later counts as requested; the others are unchanged.
    await add(['six'], { lock })
    expect(names()).toEqual(['nodnative', 'PANDAS', 'python-dateutil', 'SIX'])
  })

  test('outside of the list are refused by name, with the packages that need them', async () => {
    const alone = offer({ name: 'alone', requires: ['absent'] })
    await expect(add(['numpi'])).rejects.toThrow(/^numpi is not a package of Pyodide \d.*numpi==1\.2\.3$/)
    await expect(add(['alone'], { lock: lockOf(locked(alone)) })).rejects.toThrow(
      'alone needs absent, which is not a package',
    )
    await expect(add(['constructor'])).rejects.toThrow('constructor is not a package')
    expect(readPackages(folder)).toEqual([])
  })

  test('with a wrong hash leave nothing behind', async () => {
    const wheel = offer({ name: 'changed' })
    const lock = lockOf(locked(wheel, { sha256: 'a'.repeat(64) }))
    await expect(add(['changed'], { lock })).rejects.toThrow(
      /changed-1\.0-.* has other bytes than expected \(SHA-256 .* instead of aaaa/,
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('are added together or not at all', async () => {
    const six = offer({ name: 'six' })
    const needs = makeWheel({ name: 'needs', requires: ['six'] })
    await expect(add(['six', 'needs'], { lock: lockOf(locked(six), locked(needs)) })).rejects.toThrow(
      /could not be fetched/,
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('that are shared libraries are refused', async () => {
    const library = offer({ name: 'openblas' })
    const lock = lockOf(locked(library, { package_type: 'shared_library', file_name: 'openblas-1.zip' }))
    await expect(add(['openblas'], { lock })).rejects.toThrow('openblas is a shared library')
  })

  test('with paths as file names are refused before anything is read', async () => {
    const wheel = offer({ name: 'odd' })
    for (const file_name of [
      '../odd.whl',
      '/etc/odd.whl',
      '..\\odd.whl',
      '.odd.whl',
      'odd\0.whl',
      'odd.whl/..',
      `${'o'.repeat(300)}.whl`,
    ])
      await expect(add(['odd'], { lock: lockOf(locked(wheel, { file_name })) })).rejects.toThrow(
        /was not added|is a shared library/,
      )
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('pure packages of PyPI', () => {
  test('are added by version, and their hash is pinned', async () => {
    const words = offer({ name: 'words' })
    offer({
      name: 'greet',
      version: '2.1',
      requires: [
        'words (>=1)',
        'windows-only; sys_platform == "win32"',
        'test-tools; extra == "test"',
        'old; python_version < "3.9"',
      ],
    })
    await expect(add(['greet==2.1'])).rejects.toThrow('greet needs words, which is not a package of Pyodide')
    const { newPins, added } = await add(['greet==2.1', 'words==1.0'])
    expect(added).toEqual(['words', 'greet'])
    expect(newPins['words==1.0']).toBe(words.sha256)
    expect(names()).toEqual(['GREET', 'WORDS'])
    // Later only the same bytes are accepted.
    offer({ name: 'words', members: { 'words.py': 'changed = True' } })
    await expect(add(['words==1.0'], { pins: newPins })).rejects.toThrow('has other bytes than expected')
    expect(readPackages(folder).find(({ name }) => name === 'words')?.sha256).toBe(words.sha256)
  })

  test('may need packages that Nod ships', async () => {
    offer({ name: 'sheets', requires: ['openpyxl>=3'] })
    expect((await add(['sheets==1.0'])).added).toEqual(['sheets'])
  })

  test('with native code, another version, or no file are refused', async () => {
    offer({ name: 'fast', tag: 'cp314-cp314-pyemscripten_2026_0_wasm32' })
    await expect(add(['fast==1.0'])).rejects.toThrow('fast 1.0 has no wheel for every platform')
    await expect(add(['fast==1.1'])).rejects.toThrow('There is no wheel of fast 1.1 here')
  })

  test.each(['a/b', '../a', 'a==', 'a>=1', 'a==1 b', '-a', '', 'a;b', 'a==../1', 'a@http://x/y.whl'])(
    '%j is not a package name',
    async (word) => {
      await expect(add([word])).rejects.toThrow('is not the name of a package')
    },
  )

  test('are checked against the hash in the index', async () => {
    const wheel = makeWheel({ name: 'listed' })
    const asked: string[] = []
    const index =
      (sha256: string): Fetch =>
      async (url) => {
        asked.push(url)
        if (!url.endsWith('.whl'))
          return Response.json({
            files: [
              { filename: 'listed-1.0.tar.gz', url: 'x', hashes: {} },
              { filename: wheel.file, url: `../files/${wheel.file}`, hashes: { sha256 } },
            ],
          })
        return new Response(wheel.data)
      }
    await expect(add(['listed==1.0'], { source: packageSource(null, index('b'.repeat(64))) })).rejects.toThrow(
      'has other bytes',
    )
    expect((await add(['Listed==1.0'], { source: packageSource(null, index(wheel.sha256)) })).newPins).toEqual({
      'listed==1.0': wheel.sha256,
    })
    expect(asked.slice(-2)).toEqual(['https://pypi.org/simple/listed/', `https://pypi.org/simple/files/${wheel.file}`])
  })
})

describe('wheels that must not be unpacked', () => {
  test.each(['../out.py', '/etc/passwd', 'a/../../b.py', 'a\\b.py', 'C:/a.py', 'a/./b.py', 'a\0b.py'])(
    'a member at %j',
    (member) => {
      const wheel = makeWheel({ name: 'tricky', members: { [member]: 'x = 1' } })
      expect(() => readWheel(wheel.file, wheel.data)).toThrow('contains a path that leads out of its folder')
    },
  )

  test('a link', () => {
    const wheel = makeWheel({ name: 'linked', members: { 'linked.py': '/etc/passwd' } })
    const at = Buffer.from(wheel.data).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    new DataView(wheel.data.buffer).setUint32(at + 38, 0xa1ff0000, true)
    expect(() => readWheel(wheel.file, wheel.data)).toThrow('contains a path')
  })

  test('a zip bomb: by its claimed size, or by its number of members', () => {
    const large = makeWheel({ name: 'large', claim: 400_000_000 })
    expect(() => readWheel(large.file, large.data)).toThrow('it is too large')
    const many = makeWheel({ name: 'many' })
    const end = Buffer.from(many.data).lastIndexOf('PK\x05\x06')
    new DataView(many.data.buffer).setUint16(end + 10, 20_001, true)
    expect(() => readWheel(many.file, many.data)).toThrow('it is too large')
  })

  test('a truncated file, one that is no zip, lacks metadata, or has another name', () => {
    const wheel = makeWheel({ name: 'whole' })
    for (const cut of [0, 10, 200, wheel.bytes - 30])
      expect(() => readWheel(wheel.file, wheel.data.subarray(0, cut))).toThrow('it is not a complete wheel')
    expect(() => readWheel('other-1.0-py3-none-any.whl', wheel.data)).toThrow('its name does not fit its content')
    expect(() => readWheel('whole-1.1-py3-none-any.whl', wheel.data)).toThrow('its name does not fit its content')
  })
})

describe('a download', () => {
  test('that breaks off adds nothing, and the next one succeeds', async () => {
    const wheel = makeWheel({ name: 'remote' })
    let isCut = true
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': wheel.bytes })
      if (!isCut) return void response.end(wheel.data)
      response.write(wheel.data.subarray(0, 100))
      setTimeout(() => response.destroy(), 20)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const source = packageSource(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, fetch)
      const lock = lockOf(locked(wheel))
      await expect(add(['remote'], { lock, source })).rejects.toThrow(/remote-1\.0-.* could not be fetched from/)
      expect(readdirSync(folder)).toEqual([])
      isCut = false
      expect((await add(['remote'], { lock, source })).added).toEqual(['remote'])
    } finally {
      server.close()
    }
  })

  test('that is refused reports the reason', async () => {
    const source = packageSource('https://files.test/', () => Promise.resolve(new Response('', { status: 403 })))
    const lock = lockOf(locked(makeWheel({ name: 'gone' })))
    await expect(add(['gone'], { lock, source })).rejects.toThrow(
      'could not be fetched from files.test: HTTP 403. Nothing was added.',
    )
  })

  test('deletes partial files after an hour, but no newer ones', async () => {
    offer({ name: 'six' })
    for (const name of ['old.part', 'new.part']) writeFileSync(path.join(folder, name), 'x')
    utimesSync(path.join(folder, 'old.part'), new Date(0), new Date(0))
    await add(['six==1.0'])
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual(['new.part'])
  })
})

describe('the package folder', () => {
  test('keeps the changes of two commands at once', async () => {
    const shared = offer({ name: 'shared' })
    const wheels = ['a1', 'b1', 'c1', 'd1'].map((name) => offer({ name, requires: ['shared'] }))
    const lock = lockOf(locked(shared), ...wheels.map((each) => locked(each)))
    await Promise.all(wheels.map(({ name }) => add([name], { lock })))
    expect(names()).toEqual(['A1', 'B1', 'C1', 'D1', 'shared'])
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('ignores damaged records, and sees a change at the next read', async () => {
    const read = watchPackages(folder)
    expect(read()).toEqual([])
    const wheel = offer({ name: 'six' })
    await add(['six==1.0'])
    expect(read().map(({ name }) => name)).toEqual(['six'])
    expect(read()).toBe(read())
    writeFileSync(path.join(folder, 'bad.json'), '{"name":"bad","sha256":"../../secret"}')
    writeFileSync(path.join(folder, 'worse.json'), '{')
    expect(readPackages(folder).map(({ name }) => name)).toEqual(['six'])
    expect(() => wheelPath(folder, '../../secret')).toThrow()
    for (const each of read()) await removePackage(folder, each)
    expect(readdirSync(folder)).not.toContain(`${wheel.sha256}.whl`)
    expect(read()).toEqual([])
  })
})

test('contains the listed wheels that Nod ships, with their licenses', () => {
  const at = (name: string) => path.resolve(import.meta.dirname, '../../sandbox/wheels', name)
  for (const each of shippedPackages) {
    const data = readFileSync(at(each.file))
    const { name, version, imports, requires, licenceText } = readWheel(each.file, data)
    expect({ name, version, imports, bytes: data.byteLength }).toEqual({
      name: each.name,
      version: each.version,
      imports: each.imports,
      bytes: each.bytes,
    })
    expect(each.depends).toEqual(expect.arrayContaining([...requires]))
    expect(readFileSync(at(`${each.name}.licence.txt`), 'utf8').trim()).toBe(licenceText)
    expect(createHash('sha256').update(data).digest('hex')).toBe(each.sha256)
  }
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Layer, scratchFolder, type LayerEntry, type LayerOptions } from './layer'

const errorOf = (code: string, sentence?: string) => Object.assign(new Error(sentence ?? code), { code })
const bytes = (text: string) => new TextEncoder().encode(text)

function layerOver(files: Readonly<Record<string, string | null>>, more: Partial<LayerOptions> = {}) {
  const entries = Object.entries(files).map(([path, text]): LayerEntry => {
    return { path, kind: text === null ? 'directory' : 'file', size: text?.length ?? 0, modifiedAt: 1 }
  })
  let reads = 0
  const layer = new Layer({
    entries,
    read(index) {
      reads++
      return bytes(files[entries[index]?.path ?? ''] ?? '')
    },
    limits: { maxFileBytes: 100, maxTotalBytes: 250, maxFiles: 5 },
    access: 'write',
    now: () => 2,
    errorOf,
    ...more,
  })
  const put = (path: string, text: string) => {
    if (!layer.has(path)) layer.create(path, 'file', 0o644)
    layer.truncate(path, 0)
    layer.write(path, bytes(text), 0)
  }
  const told = () =>
    layer
      .changes()
      .map((change) =>
        change.kind === 'write'
          ? `write ${change.path} ${new TextDecoder().decode(change.data)}`
          : `${change.kind} ${change.path}${change.kind === 'copyOf' ? ` ${change.from}` : ''}`,
      )
  return { layer, put, told, reads: () => reads }
}

const codeOf = (run: () => unknown) => {
  try {
    run()
    return 'fine'
  } catch (thrown) {
    return (thrown as { code?: unknown }).code
  }
}

describe('the changes', () => {
  test('are empty if nothing was done, and nothing was read for that', () => {
    const { layer, told, reads } = layerOver({ '/a': 'one', '/d': null, '/d/b': 'two' })
    layer.at('/a').modifiedAt = 5
    expect([layer.list('/'), told(), reads()]).toEqual([['a', 'd'], [], 0])
  })

  test('list removed paths by their top folder, then folders, then files; moved files are not read', () => {
    const { layer, put, told, reads } = layerOver({ '/a': 'one', '/d': null, '/d/b': 'two', '/d/c': 'three' })
    layer.create('/new', 'folder', 0o755)
    layer.rename('/d', '/new/d')
    put('/a', 'ONE')
    expect(told()).toEqual([
      'remove /d',
      'makeDirectory /new',
      'makeDirectory /new/d',
      'write /a ONE',
      'copyOf /new/d/b /d/b',
      'copyOf /new/d/c /d/c',
    ])
    expect(reads()).toBe(0)
  })

  test('turn a folder into a file and a file into a folder', () => {
    const { layer, put, told } = layerOver({ '/d': null, '/d/b': 'two', '/f': 'x' })
    layer.unlink('/d/b')
    layer.removeFolder('/d')
    put('/d', 'file')
    layer.unlink('/f')
    layer.create('/f', 'folder', 0o755)
    expect(told()).toEqual(['remove /d', 'remove /f', 'makeDirectory /f', 'write /d file'])
  })

  test('exclude the scratch folder, which is also hidden', () => {
    const { layer, put, told } = layerOver({})
    put(`${scratchFolder}/x`, 'gone')
    layer.create('/tmp', 'folder', 0o755)
    expect([layer.list('/'), layer.list(scratchFolder), told()]).toEqual([['tmp'], ['x'], []])
    put('/tmp/kept', 'k')
    expect(told()).toEqual(['makeDirectory /tmp', 'write /tmp/kept k'])
  })
})

describe('limits', () => {
  test('are enforced at the write that exceeds them, which then changes nothing', () => {
    const { layer, put, told } = layerOver({ '/a': 'x'.repeat(60) })
    put('/b', 'y'.repeat(100))
    expect(codeOf(() => layer.write('/b', bytes('z'), 100))).toBe('EFBIG')
    put('/c', 'z'.repeat(90))
    layer.create('/e', 'file', 0o644)
    expect(codeOf(() => layer.write('/e', bytes('1'), 0))).toBe('ENOSPC')
    layer.create('/f', 'file', 0o644)
    expect(codeOf(() => layer.create('/g', 'file', 0o644))).toBe('ENOSPC')
    expect(told()).toEqual([`write /b ${'y'.repeat(100)}`, `write /c ${'z'.repeat(90)}`, 'write /e ', 'write /f '])
    layer.unlink('/c')
    layer.write('/e', bytes('1'), 0)
    expect(layer.usage.freeSpace).toBe(250 - 161)
  })

  test.each([
    'constructor',
    '__proto__',
    'a\u0000b',
    'a\\b',
    'half\ud800',
    'n'.repeat(300),
    'bell\u0007',
    'zero\u200bwidth',
  ])('a name that the files can’t have is rejected at once: %j', (name) => {
    const { layer, told } = layerOver({ '/a': 'x' })
    expect(codeOf(() => layer.create(`/${name}`, 'file', 0o644))).toMatch(/^E(?:INVAL|NAMETOOLONG)$/)
    expect(codeOf(() => layer.rename('/a', `/${name}`))).toMatch(/^E(?:INVAL|NAMETOOLONG)$/)
    expect(told()).toEqual([])
  })
})

test.each([
  ['read', 'EROFS'],
  ['none', 'EACCES'],
] as const)('files to %s reject every change where it is made', (access, code) => {
  const files = access === 'read' ? { '/a': 'one', '/d': null, '/d/b': 'two' } : {}
  const { layer, told } = layerOver(files, { access })
  const tries = [
    () => layer.create('/n', 'file', 0o644),
    () => layer.create('/n', 'folder', 0o755),
    () => layer.write('/a', bytes('x'), 0),
    () => layer.truncate('/a', 0),
    () => layer.unlink('/a'),
    () => layer.removeFolder('/d'),
    () => layer.rename('/a', '/b'),
  ]
  expect(tries.map(codeOf).map((each) => (access === 'none' && each === 'EROFS' ? 'EACCES' : each))).toEqual(
    tries.map(() => code),
  )
  expect(told()).toEqual([])
})

test('nothing changes after the end', () => {
  const { layer, put, told } = layerOver({})
  put('/a', 'one')
  layer.close()
  expect(codeOf(() => layer.write('/a', bytes('two'), 0))).toBe('EROFS')
  expect(told()).toEqual(['write /a one'])
})

test('writes, truncations and holes match an array of bytes', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), at: fc.nat(60), size: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ kind: fc.constant('truncate' as const), at: fc.nat(90), size: fc.constant(0) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const { layer } = layerOver({ '/a': 'from before' })
      let twin = [...bytes('from before')]
      for (const [turn, { kind, at, size }] of steps.entries()) {
        if (kind === 'truncate') {
          layer.truncate('/a', at)
          twin = Array.from({ length: at }, (_, index) => twin[index] ?? 0)
        } else {
          layer.write('/a', new Uint8Array(size).fill(turn + 1), at)
          twin = Array.from({ length: Math.max(twin.length, at + size) }, (_, index) =>
            index >= at && index < at + size ? turn + 1 : (twin[index] ?? 0),
          )
        }
      }
      const into = new Uint8Array(layer.at('/a').size)
      layer.read('/a', into, 0, into.length)
      expect([...into]).toEqual(twin)
    }),
  )
})

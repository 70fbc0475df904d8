import { describe, expect, it } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import {
  buildTree,
  foldersAbove,
  measure,
  openFolders,
  outermost,
  visibleRows,
  type FileTree,
  changeMarks,
  lastTurn,
  planMove,
  nameEntry,
  afterChange,
  nothingSelected,
  selectAll,
  selectOne,
  selectTo,
  sideways,
  target,
  toggleOne,
  typeahead,
} from './tree-rows'

async function treeOf(paths: readonly string[], options: { showOwn?: boolean } = {}): Promise<FileTree> {
  const vfs = createMemoryVfs()
  for (const path of paths) {
    if (path.endsWith('/')) await vfs.makeDirectory(path)
    else await vfs.write(path, new TextEncoder().encode(path))
  }
  const entries = await vfs.tree('/')
  if (!entries.ok) throw new Error(entries.error.message)
  return buildTree(entries.value, options)
}

const all = new Map<string, boolean>()
const paths = ['/data/orders.csv', '/data/old/2024.csv', '/notes/a.md', '/june.svg', '/.nod/state.json', '/empty/']

describe('the rows of the tree', () => {
  it('are in the order of the folders, with level, position and number of siblings', async () => {
    const tree = await treeOf(paths)
    const rows = visibleRows(tree, openFolders(tree, all))
    expect(rows.map(({ path, level, position, siblings }) => `${path} ${level} ${position}/${siblings}`)).toEqual([
      '/data 1 1/4',
      '/data/old 2 1/2',
      '/data/old/2024.csv 3 1/1',
      '/data/orders.csv 2 2/2',
      '/empty 1 2/4',
      '/notes 1 3/4',
      '/notes/a.md 2 1/1',
      '/june.svg 1 4/4',
    ])
  })

  it('hide the contents of closed folders, and Nod’s own files unless requested', async () => {
    const tree = await treeOf(paths, { showOwn: true })
    const rows = visibleRows(tree, openFolders(tree, new Map([['/data', false]])))
    expect(rows.map(({ path }) => path)).not.toContain('/data/orders.csv')
    expect(rows.filter(({ own }) => own).map(({ path }) => path)).toEqual(['/.nod', '/.nod/state.json'])
    expect((await treeOf(paths)).byPath.has('/.nod')).toBe(false)
  })

  it('start closed in a big tree', async () => {
    const tree = await treeOf(Array.from({ length: 250 }, (_, index) => `/many/${index}.txt`))
    expect(openFolders(tree, all).size).toBe(0)
  })

  it('are measured with their contents, and a folder includes what is in it', async () => {
    const tree = await treeOf(paths)
    expect(measure(tree, '/data')).toEqual({ files: 2, bytes: '/data/orders.csv/data/old/2024.csv'.length })
    expect(outermost(['/data/old/2024.csv', '/data', '/june.svg'])).toEqual(['/data', '/june.svg'])
    expect(foldersAbove('/a/b/c')).toEqual(['/a/b', '/a'])
  })
})

describe('selection', () => {
  const rowsOf = async () => {
    const tree = await treeOf(paths)
    return visibleRows(tree, openFolders(tree, all))
  }

  it('moves by keys and stays in the tree', async () => {
    const rows = await rowsOf()
    expect(target(rows, null, 'down')).toBe('/data')
    expect(target(rows, '/data', 'up')).toBe('/data')
    expect(target(rows, '/data', 'page-down', 3)).toBe('/data/orders.csv')
    expect(target(rows, '/data', 'last')).toBe('/june.svg')
    expect(target([], null, 'down')).toBeNull()
  })

  it('selects ranges from the anchor, both ways', async () => {
    const rows = await rowsOf()
    const down = selectTo(rows, selectOne('/empty'), '/notes/a.md')
    expect([...down.selected]).toEqual(['/empty', '/notes', '/notes/a.md'])
    expect([...selectTo(rows, down, '/data/orders.csv').selected]).toEqual(['/data/orders.csv', '/empty'])
    expect(selectAll(rows, nothingSelected).selected.size).toBe(rows.length)
    expect([...toggleOne(toggleOne(selectOne('/empty'), '/notes'), '/empty').selected]).toEqual(['/notes'])
  })

  it('moves to the folder and into it', async () => {
    const rows = await rowsOf()
    const row = (path: string) => rows.find((one) => one.path === path)!
    expect(sideways(rows, row('/notes/a.md'), 'out')).toBe('/notes')
    expect(sideways(rows, row('/notes'), 'in')).toBe('/notes/a.md')
    expect(sideways(rows, row('/empty'), 'in')).toBeNull()
    expect(sideways(rows, row('/data'), 'out')).toBeNull()
  })

  it('finds names by typing; repeating one letter moves on', async () => {
    const rows = await rowsOf()
    expect(typeahead(rows, '/data', 'o')).toBe('/data/old')
    expect(typeahead(rows, '/data/old', 'oo')).toBe('/data/orders.csv')
    expect(typeahead(rows, '/data/old', 'or')).toBe('/data/orders.csv')
    expect(typeahead(rows, null, 'D')).toBe('/data')
    expect(typeahead(rows, '/data', 'zz')).toBeNull()
  })

  it('continues at the place of a removed row', async () => {
    const before = await rowsOf()
    const rows = before.filter(({ path }) => path !== '/empty')
    const after = afterChange(before, rows, selectOne('/empty'))
    expect(after.active).toBe('/notes')
    expect(after.selected.size).toBe(0)
    const last = afterChange(before, before.slice(0, -1), selectOne('/june.svg'))
    expect(last.active).toBe('/notes/a.md')
    expect(afterChange(before, [], selectOne('/june.svg')).active).toBeNull()
  })
})

describe('moving', () => {
  it('moves the outermost paths, and leaves those already there', async () => {
    const tree = await treeOf(paths)
    const plan = planMove(tree, ['/data/old', '/data/old/2024.csv', '/notes/a.md'], '/notes')
    expect(plan).toEqual({ ok: true, moves: [{ kind: 'move', from: '/data/old', to: '/notes/old' }] })
  })

  it('refuses a folder into itself, a taken name, two of one name, and a target that is no folder', async () => {
    const tree = await treeOf([...paths, '/notes/june.svg', '/x/a.md'])
    const words = (from: readonly string[], to: string) => {
      const plan = planMove(tree, from, to)
      return plan.ok ? plan.moves.length : plan.message
    }
    expect(words(['/data'], '/data/old')).toBe('/data cannot be moved into itself. Nothing was moved.')
    expect(words(['/data'], '/data')).toBe('/data cannot be moved into itself. Nothing was moved.')
    expect(words(['/june.svg'], '/notes')).toBe('/notes already contains june.svg. Nothing was moved.')
    expect(words(['/x/a.md', '/notes/a.md'], '/empty')).toContain('already contains a.md')
    expect(words(['/x/a.md'], '/june.svg')).toContain('There is no folder at /june.svg')
  })
})

describe('a typed name', () => {
  it('is relative to the folder, and may contain folders', async () => {
    const tree = await treeOf(paths)
    expect(nameEntry(tree, '/notes', 'b.md')).toEqual({ ok: true, path: '/notes/b.md' })
    expect(nameEntry(tree, '/notes', 'x/b.md')).toEqual({ ok: true, path: '/notes/x/b.md' })
    expect(nameEntry(tree, '/', 'june.svg', '/june.svg')).toEqual({ ok: true, path: '/june.svg' })
  })

  it('is refused with a sentence', async () => {
    const tree = await treeOf(paths)
    const words = (name: string) => {
      const named = nameEntry(tree, '/notes', name)
      return named.ok ? named.path : named.message
    }
    expect(words(' ')).toBe('Enter a name.')
    expect(words('a.md')).toBe('A file already exists at /notes/a.md. Choose another name.')
    expect(words('a\\b')).toContain('contains a backslash')
    expect(words('../../..')).toContain('leads out')
    expect(words('a.md/b')).toBe('/notes/a.md is a file, not a folder.')
    expect(words('..')).toContain('is not a valid name')
  })
})

describe('marks', () => {
  it('tell new from changed, ignore undone and old changes, and keep the last turn', async () => {
    let now = 100
    const vfs = createMemoryVfs({ now: () => now })
    const call = (messageId: string) =>
      vfs.recording({ kind: 'call', messageId, slot: 0, attempt: 1, tool: 'write_file' })
    const user = vfs.recording({ kind: 'user', action: 'edited', messageId: null })
    const bytes = (text: string) => new TextEncoder().encode(text)
    await call('old').write('/old.md', bytes('1'))
    await call('m2').write('/turn.md', bytes('1'))
    now = 500
    await user.write('/old.md', bytes('2'))
    await user.write('/gone.md', bytes('1'))
    await user.remove('/gone.md')
    await user.write('/undone.md', bytes('1'))
    const sets = await vfs.history.list()
    if (!sets.ok) throw new Error('no list')
    await vfs.history.setUndone([sets.value[0]!.id], true)
    const now2 = await vfs.history.list()
    if (!now2.ok) throw new Error('no list')
    const marks = changeMarks(now2.value, { messageIds: new Set(['m2']), since: 400 })
    expect(Object.fromEntries(marks)).toEqual({ '/turn.md': 'new', '/old.md': 'changed' })
  })

  it('count the last turn from the user’s own message on, not from results', () => {
    const row = (id: string, role: 'user' | 'assistant', text: string) =>
      ({ id, role, text }) as Parameters<typeof lastTurn>[0][number]
    const turn = lastTurn([
      row('1', 'user', 'first'),
      row('2', 'assistant', ''),
      row('3', 'user', 'second'),
      row('4', 'assistant', 'call'),
      row('5', 'user', ''),
      row('6', 'assistant', 'done'),
    ])
    expect([...turn]).toEqual(['3', '4', '5', '6'])
    const file = { path: '/a.csv', mediaType: 'text/csv', size: 3, head: null, isImage: false }
    const sent = { ...row('3', 'user', ''), attachments: [file] } as Parameters<typeof lastTurn>[0][number]
    expect([...lastTurn([row('1', 'user', 'first'), row('2', 'assistant', ''), sent])]).toEqual(['3'])
  })
})

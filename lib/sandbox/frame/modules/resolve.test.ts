import { describe, expect, test } from 'vitest'
import { resolveSpecifier, type Folder, type ListFolder } from './resolve'

const tree: Readonly<Record<string, Readonly<Record<string, 'file' | 'directory'>>>> = {
  '/': { lib: 'directory', 'main.js': 'file', 'a b.js': 'file' },
  '/lib': { 'a.js': 'file', 'a.json': 'file', 'b.ts': 'file', 'c.tsx': 'file', box: 'directory', empty: 'directory' },
  '/lib/box': { 'index.mjs': 'file' },
  '/lib/empty': {},
}
const list: ListFolder = (path): Folder => {
  const folder = tree[path]
  return folder === undefined ? null : new Map(Object.entries(folder))
}
const resolve = (specifier: string, folder = '/lib') => resolveSpecifier(specifier, folder, list)

describe('a path', () => {
  test.each([
    ['./a.js', '/lib/a.js'],
    ['./a', '/lib/a.js'],
    ['./a.json', '/lib/a.json'],
    ['./b', '/lib/b.ts'],
    ['./b.js', '/lib/b.ts'],
    ['./c.js', '/lib/c.tsx'],
    ['./box', '/lib/box/index.mjs'],
    ['./box/', '/lib/box/index.mjs'],
    ['../main', '/main.js'],
    ['/main.js', '/main.js'],
    ['file:///lib/a.js', '/lib/a.js'],
    ['/a%20b.js', '/a b.js'],
    ['./box/../a.js', '/lib/a.js'],
  ])('%s is the file %s', (specifier, path) => {
    expect(resolve(specifier)).toEqual({ kind: 'file', path })
  })

  test.each([
    ['../../x.js', 'leads out of this chat’s files', ''],
    ['/../x.js', 'leads out of this chat’s files', ''],
    ['%2e%2e/x', 'x', null],
    ['./aa.js', 'There is no file /lib/aa.js', 'Nearest: /lib/a.js.'],
    ['./zzzzzz.js', 'There is no file /lib/zzzzzz.js', ''],
    ['/none/a.js', 'There is no folder /none, so no file /none/a.js', ''],
    ['./empty', '/lib/empty is a folder without an index file', ''],
    ['https://x.org/a.js', 'there is no network here', ''],
    ['data:text/javascript,1', 'there is no network here', ''],
  ])('%s is not a file', (specifier, message, hint) => {
    const resolved = resolve(specifier)
    if (hint === null) expect(resolved.kind).not.toBe('file')
    else expect(resolved).toEqual({ kind: 'failed', message: expect.stringContaining(message), hint })
  })
})

test.each(['papaparse', 'node:fs/promises', '@scope/name', 'lodash/get'])('%s is a package', (name) => {
  expect(resolve(name)).toEqual({ kind: 'package', name })
})

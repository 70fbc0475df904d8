import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { expect, it } from 'vitest'
import { newerThanBrowsers } from './newer-than-browsers'

const root = path.resolve(import.meta.dirname, '../..')

/** Runs only in the pinned Node, never in a browser. */
const isServers = (file: string): boolean =>
  /^(?:app\/api|lib\/server)\/|\.server\.tsx?$|\.(?:test|contract)\.|\/testing\//.test(file)

it('browser code uses nothing newer than the oldest browsers that the README names', () => {
  const files = globSync('{app,components,lib}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !isServers(file))
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    newerThanBrowsers(readFileSync(path.join(root, file), 'utf8')).map((call) => `${file}: ${call}`),
  )
  expect(found).toEqual([])
})

it.each([
  'await Promise.try(task)',
  'new RegExp(RegExp.escape(text))',
  'bytes.toBase64()',
  'new Map().values().toArray()',
  'map.entries()\n    .find(([key]) => key)',
  'for await (const part of response.body) add(part)',
])('finds %s', (source) => {
  expect(newerThanBrowsers(source)).toHaveLength(1)
})

it.each(['entries().some(isOpen)', '[...map.values()].map(name)', 'Object.entries(row).map(pair)', 'new URL(text)'])(
  'leaves %s alone',
  (source) => {
    expect(newerThanBrowsers(source)).toEqual([])
  },
)

import { expect, test } from 'vitest'
import { importsIn, loadersIn } from './build-parts.mjs'
import { sizePage, sizeTables } from './size-page.mjs'
import { charactersBySource, readMap, segmentsOf } from './source-map.mjs'

const source = "const a = 1\nconst part = () => import('./part')\n"
const code = 'var a=1,b=()=>e.A(829572);\n//# sourceMappingURL=a.js.map'

test('a map’s differences become positions', () => {
  // 0,0,0,0 · 8,0,1,0 · then a new line: 2 without a source
  expect(segmentsOf('AAAA,QACA;E')).toEqual([
    { line: 0, column: 0, source: 0, fromLine: 0, fromColumn: 0 },
    { line: 0, column: 8, source: 0, fromLine: 1, fromColumn: 0 },
    { line: 1, column: 2, source: null, fromLine: 0, fromColumn: 0 },
  ])
})

test('counts a file’s characters by source, also in sections', () => {
  const whole = { sources: ['a.ts', 'b.ts'], mappings: 'AAAA,QCAA' }
  expect(charactersBySource('12345678123', readMap(whole))).toEqual([
    ['a.ts', 8],
    ['b.ts', 3],
  ])
  const sections = [
    { offset: { line: 0, column: 0 }, map: { sources: ['a.ts'], mappings: 'AAAA' } },
    { offset: { line: 0, column: 4 }, map: { sources: ['b.ts'], mappings: 'AAAA' } },
    { offset: { line: 1, column: 0 }, map: { sources: ['a.ts'], mappings: 'AAAA' } },
  ]
  expect(charactersBySource('aaaabb\naa', readMap({ sections }))).toEqual([
    ['a.ts', 6],
    ['b.ts', 2],
  ])
})

test('reads what a loader loads from the chunk, as the bundler writes it', () => {
  const written =
    'x,829572,s=>{s.v(t=>Promise.all(["static/chunks/a.js","static/chunks/b.js"].map(t=>s.l(t))).then(()=>t(644236)))},' +
    '5,e=>{e.v(e=>Promise.resolve().then(()=>e(201137)))}'
  expect(loadersIn(written)).toEqual([
    { id: '829572', chunks: ['a.js', 'b.js'] },
    { id: '5', chunks: [] },
  ])
})

test('finds who imports a part, and what for, with the source map', () => {
  // The call is at 14 in the file, and at 1:19 in the source.
  const map = { sources: ['turbopack:///[project]/components/a.ts'], sourcesContent: [source], mappings: 'AAAA,cACmB' }
  expect(importsIn(code, readMap(map))).toEqual([{ id: '829572', by: 'components/a.ts', what: './part' }])
})

const chunk = (gz: number, path: string) => ({
  raw: gz * 3,
  gz,
  br: gz - 1,
  modules: [[path, gz * 3]] as [string, number][],
})

test('the tables list each part once, even without a journey, and what it adds to the first load', () => {
  const build = {
    chunks: new Map([
      ['a.js', chunk(30, 'app.tsx')],
      ['b.js', chunk(20, 'node_modules/x/b.js')],
      ['c.js', chunk(10, 'c.ts')],
    ]),
    imports: [
      { by: 'app.tsx', what: './b', chunks: ['a.js', 'b.js'] },
      { by: 'other.tsx', what: './b', chunks: ['b.js'] },
      { by: 'app.tsx', what: './c', chunks: ['c.js', 'b.js'] },
      { by: 'app.tsx', what: './a', chunks: ['a.js'] },
    ],
    routes: [
      { route: '/', chunks: ['a.js'] },
      { route: '/lab', chunks: ['a.js', 'c.js'] },
    ],
  }
  const tables = sizeTables(build, { first: new Set(['a.js']), fetched: new Set(['a.js', 'b.js']) })
  expect(tables.map(({ parts }) => parts.map(({ name, gz, by }) => ({ name, gz, by })))).toEqual([
    [{ name: 'a.js', gz: 30, by: ['app.tsx: ./b', 'app.tsx: ./a'] }],
    [{ name: 'b.js', gz: 20, by: ['app.tsx: ./b', 'other.tsx: ./b', 'app.tsx: ./c'] }],
    [
      { name: 'on need', gz: 30, by: ['app.tsx: ./c'] },
      { name: 'soon', gz: 20, by: ['app.tsx: ./b', 'other.tsx: ./b'] },
    ],
    [{ name: '/lab', gz: 10, by: [] }],
  ])
  const page = sizePage([{ what: 'first', bytes: 30, limitKb: 1 }], tables)
  expect(page).toMatch(/\| first\s+\|\s+0\.0 \|\s+1 \|/)
  expect(page).toContain('- on need: 0.0 · 0.0 · `x/b.js 0.1`, `c.ts 0.0` ← `app.tsx: ./c`')
})

// Which packages are in the files served to browsers: read from the finished build, not from package.json.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildSandboxFiles } from '../build-sandbox.mjs'
import { packagesInMermaid } from '../drawing-files.mjs'
import { inRoot } from '../setup/paths.mjs'

/**
 * The folder of a module's package, from the project's root; null for our own.
 * `node_modules/next/dist/compiled/cookie/x.js` belongs to cookie, because Next bundles packages of others.
 * @param {string} module a path or an address in a source map
 */
export function packageFolder(module) {
  // Turbopack's own modules have names like `node_modules/next/x.js/proxy.cjs { server => "…" }`. A JSON file is named
  // twice: `node_modules/mime-db/db.json.[json].cjs/turbopack:///node_modules/mime-db/db.json`.
  const file = decodeURIComponent(module)
    .replace(/\/turbopack:\/\/.*/s, '')
    .replace(/[ {"].*/s, '')
  const folders = file.split('/node_modules/')
  if (file.startsWith('node_modules/')) folders.splice(0, 1, '', (folders[0] ?? '').slice('node_modules/'.length))
  if (folders.length < 2) return null
  const names = folders.slice(1).map((part) => /^(?:@[^/]+\/)?[^/]+/.exec(part)?.[0])
  // Next's own maps climb one folder too far: `next/dist/api/x.js.map` names `../../../src/api/x.ts`.
  if (names.at(-1) === 'src') names.splice(-1, 1, 'next')
  // The tool server client contains this unpublished package of its project.
  if (names.at(-1) === '@modelcontextprotocol/core-internal') names.splice(-1, 1, '@modelcontextprotocol/client')
  const folder = `node_modules/${names.join('/node_modules/')}`
  const compiled = /^next\/dist\/compiled\/((?:@[^/]+\/)?[^/]+)\//.exec(folders.at(-1))?.[1]
  return compiled === undefined ? folder : `${folder}/dist/compiled/${compiled}`
}

const filesUnder = async (folder, ends) =>
  (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith(ends))
    .map((name) => path.join(folder, name))

const sourcesOf = (map) => [
  ...(map.sources ?? []),
  ...(map.sections ?? []).flatMap((section) => sourcesOf(section.map)),
]

/** The modules of pages: the server renders them from the same modules, and only its bundles have maps. */
async function modulesOfPages(dist) {
  const maps = await filesUnder(path.join(dist, 'server/chunks/ssr'), '.map')
  return (await Promise.all(maps.map(async (file) => sourcesOf(JSON.parse(await readFile(file, 'utf8')))))).flat()
}

/**
 * Served without a map that names it: React, which the server has in a separate runtime, the base style sheet, its
 * fonts, and Pyodide, which is copied.
 */
const unnamed = {
  'the pages': [
    'react',
    'react-dom',
    'scheduler',
    'tailwindcss',
    '@fontsource-variable/geist',
    '@fontsource-variable/geist-mono',
  ],
  '/sandbox-libs/pyodide': ['pyodide'],
  '/drawing/katex': ['katex'],
}

/**
 * Each package's folder with the files in which it is served.
 * @param {string} [dist] the folder of Next's build
 * @returns {Promise<Map<string, Set<string>>>}
 */
export async function servedPackages(dist = inRoot('.next')) {
  const found = new Map()
  const add = (folder, where) => {
    if (folder !== null) found.set(folder, (found.get(folder) ?? new Set()).add(where))
  }
  for (const each of await modulesOfPages(dist)) add(packageFolder(each), 'the pages')
  if (found.size === 0) throw new Error('The build names no package: its source maps are not where they were.')
  await buildSandboxFiles({
    onInputs: (file, inputs) => {
      for (const input of inputs) add(packageFolder(input), file.replace(/^public/, ''))
    },
  })
  for (const [where, names] of Object.entries(unnamed)) for (const name of names) add(`node_modules/${name}`, where)
  const drawing = ['mermaid', ...(await packagesInMermaid())]
  for (const name of drawing) add(`node_modules/${name}`, '/drawing/mermaid')
  return found
}

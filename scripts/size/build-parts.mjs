// What a build of the page is cut into: all of its chunks, what is in them, and what loads them. Read from what Turbopack writes:
//
//   …,829572,s=>{s.v(t=>Promise.all(["static/chunks/a.js","static/chunks/b.js"].map(t=>s.l(t))).then(()=>t(644236)))},…
//
// is an `import()`: the module 829572 loads two chunks and gives the module 644236; anyone who says `.A(829572)` is who imports. Where that
// is in the sources is in the source map of its chunk. Other versions of the bundler may write it otherwise: a build in
// which nothing is found is an error, not an empty list.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { charactersBySource, readMap } from './source-map.mjs'

const loader =
  /(\d+),(\w)=>\{\2\.v\((\w)=>(?:Promise\.all\((\[[^\]]*\])\.map\(\w=>\2\.l\(\w\)\)\)|Promise\.resolve\(\))\.then\(\(\)=>\3\((\d+)\)\)\)\}/g
const asking = /\.A\((\d+)\)/g
const importOf = /import\(\s*['"`]([^'"`]+)['"`]/

const chunksOf = (project) => `${project}/.next/static/chunks`
const mapsOf = (project) => `${project}/.next/chunk-maps`

const namedMap = /\n?\/\/# sourceMappingURL=(\S+)\s*$/

/**
 * Moves the source maps of a build aside, each under its chunk's name, and removes their references from the chunks, so
 * that the measured and served files are those that users get.
 * @param {string} project
 */
export async function takeMaps(project) {
  await mkdir(mapsOf(project), { recursive: true })
  const files = await readdir(chunksOf(project))
  for (const name of files.filter((file) => file.endsWith('.js'))) {
    const file = `${chunksOf(project)}/${name}`
    const code = await readFile(file, 'utf8')
    const map = namedMap.exec(code)?.[1]
    if (!map) continue
    // Chunks with the same content may share one.
    await copyFile(`${chunksOf(project)}/${map}`, `${mapsOf(project)}/${name}.map`)
    await writeFile(file, code.replace(namedMap, ''))
  }
  for (const name of files.filter((file) => file.endsWith('.map'))) await rm(`${chunksOf(project)}/${name}`)
}

const nameOf = (file) => file.split('/').at(-1)
/** A source's path in the project. */
const pathOf = (source) => source.replace(/^turbopack:\/\/\//, '').replace(/^.*\[project\]\/(?:\.cache\/size\/)?/, '')

/**
 * The loaders in a chunk's code: the id, and the names of the chunks that it loads; none if they are loaded already.
 */
export function loadersIn(code) {
  return [...code.matchAll(loader)].map(([, id, , , chunks = '[]']) => ({
    id,
    chunks: JSON.parse(chunks).map((chunk) => nameOf(typeof chunk === 'string' ? chunk : chunk.path)),
  }))
}

/**
 * The dynamic imports in a chunk's code: the loader's id, the importing file, and the import as it is written there.
 */
export function importsIn(code, map) {
  const starts = [0]
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  const segments = map.segments.map((one) => ({ ...one, at: starts[one.line] + one.column }))
  return [...code.matchAll(asking)].flatMap(({ 1: id, index }) => {
    const last = segments.findLast(({ at, source }) => source !== null && at <= index + 1)
    if (!last) return []
    const text = (map.texts[last.source] ?? '').split('\n').slice(last.fromLine).join('\n')
    const from = Math.max(0, last.fromColumn - 'import('.length)
    return [{ id, by: pathOf(map.sources[last.source]), what: importOf.exec(text.slice(from))?.[1] ?? '' }]
  })
}

/**
 * The parts of a build whose source maps were taken: `chunks` by name, with raw, gzip and Brotli bytes and their
 * modules, `[path, bytes]`, largest first; `imports`, each with its importer (`by`), the import, and the loaded chunks;
 * `routes` with the chunks that each page names at first.
 * @param {string} project
 */
export async function buildParts(project) {
  const folder = chunksOf(project)
  const chunks = new Map()
  const loaders = new Map()
  const asked = []
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.js'))) {
    const code = await readFile(`${folder}/${name}`, 'utf8')
    const map = await readFile(`${mapsOf(project)}/${name}.map`, 'utf8').then(
      (text) => readMap(JSON.parse(text)),
      () => null,
    )
    const bytes = Buffer.from(code)
    const modules = map === null ? [] : charactersBySource(code, map).map(([path, count]) => [pathOf(path), count])
    chunks.set(name, {
      raw: bytes.length,
      gz: gzipSync(bytes, { level: 9 }).length,
      br: brotliCompressSync(bytes).length,
      modules,
    })
    for (const { id, chunks: loaded } of loadersIn(code)) loaders.set(id, loaded)
    if (map !== null) asked.push(...importsIn(code, map))
  }
  const imports = new Map()
  for (const { id, by, what } of asked) {
    const comes = loaders.get(id)
    if (comes) imports.set(`${by} ${what}`, { by, what, chunks: comes })
  }
  if (imports.size === 0)
    throw new Error('No import() was found in the build: it is read otherwise than it is written.')
  const stats = JSON.parse(await readFile(`${project}/.next/diagnostics/route-bundle-stats.json`, 'utf8'))
  const routes = stats.map(({ route, firstLoadChunkPaths }) => ({ route, chunks: firstLoadChunkPaths.map(nameOf) }))
  return { chunks, imports: [...imports.values()], routes }
}

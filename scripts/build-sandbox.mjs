// Builds what the browser loads outside of Next's bundles, from TypeScript, always to the same bytes:
//   public/sandbox.html     the opaque frame that runs model-written code (committed: its script's hash is its CSP)
//   public/show.html        the opaque frame that shows displayed HTML (committed)
//   public/workers/vfs.js   the worker that keeps a conversation's files (made at each build)
//   public/workers/search.js  the worker that searches texts (made at each build)
//   public/workers/markdown.js  the worker that reads Markdown which is too much for the page (made at each build)
//   public/sandbox-libs/    what sandboxed code may ask for by name: a file of lib/sandbox/libraries each, and Pyodide's (made
//                           at each build)
// `node scripts/build-sandbox.mjs` writes them; `--check` only says whether the committed ones are stale (exit 1).
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { copyPyodideFiles } from './pyodide-files.mjs'
import { licencesFile, zenfsBanner, zenfsLicences } from './zenfs-licences.mjs'

const root = path.resolve(import.meta.dirname, '..')

/** @param {string} entry @param {import('esbuild').BuildOptions} options @returns {Promise<string>} */
async function bundle(entry, options = {}) {
  const result = await build({
    entryPoints: [path.join(root, entry)],
    absWorkingDir: root,
    tsconfig: path.join(root, 'tsconfig.json'),
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
    loader: { '.py': 'text' },
    // Pyodide's loader names them for Node; a browser never asks.
    external: ['node:*', 'ws'],
    ...options,
  })
  return result.outputFiles[0].text.trim()
}

/** Vega looks for a document to measure text in; a worker has none, but a canvas of its own. */
const offscreen = { 'vega-canvas': path.join(root, 'lib/sandbox/frame/charts/offscreen-canvas.ts') }

/**
 * Takes from Vega what lets a spec reach past its data: fields are read by `own-member.ts` wherever a spec names one, and
 * every row is a plain object. Fails where Vega is not as it is known here, so that no new version comes in unsealed.
 */
const sealVega = {
  name: 'seal-vega',
  setup(builder) {
    const own = path.join(root, 'lib/sandbox/frame/charts/own-member.ts')
    const sealed = new Set()
    builder.onLoad({ filter: /[\\/]vega-util[\\/]build[\\/]getter\.js$/ }, () => {
      sealed.add('getter')
      return { contents: `export { default } from ${JSON.stringify(own)}`, resolveDir: root }
    })
    builder.onLoad({ filter: /[\\/]vega-dataflow[\\/]build[\\/]vega-dataflow\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8')
      const ingest = /const t = datum === Object\(datum\) \? datum : \{\s*data: datum\s*\};/
      if (text.match(new RegExp(ingest, 'g'))?.length !== 1) throw new Error('vega-dataflow takes rows in another way')
      sealed.add('rows')
      const contents = `import { plainRow } from ${JSON.stringify(own)}\n${text.replace(ingest, 'const t = plainRow(datum);')}`
      return { contents, resolveDir: path.dirname(file) }
    })
    builder.onEnd(() => {
      if (sealed.size !== 2) throw new Error('Vega was bundled without its seals')
    })
  },
}

/** What a run's worker begins with. */
export const bundlePrelude = () => bundle('lib/sandbox/frame/prelude.ts')

/** Puts the prelude's bundled text where the frame's script imports it. */
const preludePlugin = {
  name: 'prelude',
  setup(builder) {
    builder.onResolve({ filter: /^virtual:prelude$/ }, () => ({ path: 'prelude', namespace: 'prelude' }))
    builder.onLoad({ filter: /.*/, namespace: 'prelude' }, async () => ({
      contents: await bundlePrelude(),
      loader: 'text',
    }))
  },
}

const page = (title, script, body = '') =>
  `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title}</title>\n<body>${body}\n<script>${script}</script>\n`

/** Leaves ZenFS in a script of its own, which the sandbox hands over: whoever wants can put another one there. */
const zenfsApart = {
  name: 'zenfs-apart',
  setup(builder) {
    builder.onResolve({ filter: /^\.\/zenfs$/ }, () => ({ path: 'zenfs.js', external: true }))
    // Reached past the library's own file, it would be bundled a second time, with other files in it.
    builder.onResolve({ filter: /^(?:@zenfs\/|kerium|utilium|memium|buffer$)/ }, ({ path: name, importer }) => {
      throw new Error(`${importer} imports ${name}: it has to come by way of lib/sandbox/frame/node/zenfs.ts`)
    })
  },
}

/** A library for sandboxed code, by its file in `lib/sandbox/libraries`, as a script for CommonJS. */
export const bundleLibrary = async (name) => {
  const text = await bundle(`lib/sandbox/libraries/${name}`, {
    format: 'cjs',
    legalComments: 'eof',
    alias: offscreen,
    // Classes of Node's are known by their names, also when they are printed.
    keepNames: name === 'zenfs.ts' || name === 'node.ts',
    plugins: name === 'vega.ts' ? [sealVega] : name === 'node.ts' ? [zenfsApart] : [],
  })
  return name === 'zenfs.ts' ? `${await zenfsBanner()}\n${text}` : text
}

/** The text of each generated file, by its path under the project's root. */
export async function buildSandboxFiles() {
  const frame = await bundle('lib/sandbox/frame/frame.ts', { plugins: [preludePlugin] })
  const show = await bundle('lib/sandbox/frame/show.ts')
  for (const script of [frame, show]) {
    // esbuild escapes these; a page's script must never end early or open a comment.
    if (/<\/script|<!--/i.test(script)) throw new Error('the bundle would end its script element early')
  }
  const libraries = (await readdir(path.join(root, 'lib/sandbox/libraries')))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .toSorted()
  const assets = await Promise.all(
    libraries.map(async (name) => [`public/sandbox-libs/${name.replace(/\.ts$/, '.js')}`, await bundleLibrary(name)]),
  )
  return {
    ...Object.fromEntries(assets),
    [`public/sandbox-libs/${licencesFile}`]: await zenfsLicences(),
    'public/sandbox.html': page('Sandbox', frame),
    'public/show.html': page('Displayed', show),
    'public/workers/markdown.js': await bundle('components/markdown/worker.ts', { format: 'esm' }),
    'public/workers/search.js': await bundle('lib/tools/search-files/worker.ts', { format: 'esm' }),
    'public/workers/vfs.js': await bundle('lib/vfs/indexeddb/worker.ts', { format: 'esm', legalComments: 'eof' }),
  }
}

/** Writes the files that differ; gives back their paths. */
export async function writeSandboxFiles({ check = false } = {}) {
  const changed = await copyPyodideFiles({ check })
  for (const [name, text] of Object.entries(await buildSandboxFiles())) {
    const file = path.join(root, name)
    const before = await readFile(file, 'utf8').catch(() => null)
    if (before === text) continue
    changed.push(name)
    if (check) continue
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return changed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check')
  const changed = await writeSandboxFiles({ check })
  const stale = changed.filter((name) => /^public\/[^/]+$/.test(name))
  if (check && stale.length > 0) {
    console.error(`stale: ${stale.join(', ')}. Run node scripts/build-sandbox.mjs`)
    process.exitCode = 1
  } else
    console.log(
      changed.length === 0 ? 'sandbox files are up to date' : `${check ? 'not built' : 'wrote'}: ${changed.join(', ')}`,
    )
}

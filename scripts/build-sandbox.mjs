// Builds what the browser loads outside Next's bundles, from TypeScript, with reproducible output. Everything is built
// at each build and not committed:
//   public/sandbox.html     the opaque frame that runs model-written code (its script's hash is its CSP)
//   public/show.html        the opaque frame that shows displayed HTML
//   public/run.html         the opaque frame in which a page of the workspace runs
//   public/wllama.html      the frame in which the worker of a model has threads
//   public/signed-in.html   where the window of a sign-in to a tool server ends
//   public/diagram.html     the opaque frame that draws diagrams
//   public/drawing/         files of packages for diagrams and formulas, copied
//   public/workers/         the workers that store a conversation's files, search texts, parse Markdown that is too expensive for
//                           the page, and run a model; beside the last one its llama.cpp as WebAssembly
//   public/sandbox-libs/    what sandboxed code may load by name: a file of lib/sandbox/libraries each, Pyodide's, and pdf.js's
//                           character maps
// `node scripts/build-sandbox.mjs` writes them; `npm run dev` rebuilds each when one of its sources changes.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { copyDrawingFiles } from './drawing-files.mjs'
import { copyCMaps, limitPdf } from './pdf-reader.mjs'
import { copyPyodideFiles } from './pyodide-files.mjs'
import { copyWllamaWasm } from './wllama-wasm.mjs'
import { licencesFile, zenfsBanner, zenfsLicences } from './zenfs-licences.mjs'

const root = path.resolve(import.meta.dirname, '..')

/**
 * @typedef {import('esbuild').BuildOptions} BuildOptions
 * @typedef {object} Target A file that is made of one bundle.
 * @property {string} file its path under the project's root
 * @property {BuildOptions} options
 * @property {(script: string) => string | Promise<string>} [wrap] the file's text around the bundled script
 */

/** @param {string} entry @param {BuildOptions} more @returns {BuildOptions} */
const optionsOf = (entry, more = {}) => ({
  entryPoints: [path.join(root, entry)],
  absWorkingDir: root,
  tsconfig: path.join(root, 'tsconfig.json'),
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'error',
  loader: { '.py': 'text', '.wasm': 'binary' },
  // Pyodide's loader names them for Node; a browser never loads them.
  external: ['node:*', 'ws'],
  ...more,
})

const textOf = (result) => result.outputFiles[0].text.trim()

/** Vega uses a document to measure text; a worker has none, but its own canvas. */
const offscreen = { 'vega-canvas': path.join(root, 'lib/sandbox/frame/charts/offscreen-canvas.ts') }

/**
 * Removes from Vega what lets a spec reach beyond its data: fields are read with `own-member.ts` wherever a spec names
 * one, and every row is a plain object. Fails if Vega's source differs from the expected one, so that a new version
 * can't come in unsealed.
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

const preludeOptions = optionsOf('lib/sandbox/frame/prelude.ts')

/** The code that a run's worker starts with. */
export const bundlePrelude = async () => textOf(await build(preludeOptions))

/** Inserts the prelude's bundled text where the frame's script imports it. */
const preludePlugin = {
  name: 'prelude',
  setup(builder) {
    builder.onResolve({ filter: /^virtual:prelude$/ }, () => ({ path: 'prelude', namespace: 'prelude' }))
    builder.onLoad({ filter: /.*/, namespace: 'prelude' }, async () => {
      const result = await build(preludeOptions)
      const watchFiles = Object.keys(result.metafile.inputs).map((name) => path.join(root, name))
      return { contents: textOf(result), loader: 'text', watchFiles }
    })
  },
}

/** A page with one script. */
const pageOf = (title) => (script) => {
  // esbuild escapes these; a page's script must never end early or open a comment.
  if (/<\/script|<!--/i.test(script)) throw new Error('the bundle would end its script element early')
  return `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title}</title>\n<body>\n<script>${script}</script>\n`
}

/** Keeps ZenFS in a separate script that the sandbox loads, so that it can be replaced (LGPL). */
const zenfsApart = {
  name: 'zenfs-apart',
  setup(builder) {
    builder.onResolve({ filter: /^\.\/zenfs$/ }, () => ({ path: 'zenfs.js', external: true }))
    // An import past the library's own entry would be bundled a second time, with other files in it.
    builder.onResolve({ filter: /^(?:@zenfs\/|kerium|utilium|memium|buffer$)/ }, ({ path: name, importer }) => {
      throw new Error(`${importer} imports ${name}: it has to come by way of lib/sandbox/frame/node/zenfs.ts`)
    })
  },
}

const pluginsOf = { 'vega.ts': [sealVega], 'node.ts': [zenfsApart], 'document-pdf.ts': [limitPdf] }

/**
 * A document reader is the whole script of a worker. pdf.js asks for its own address to find files that it never needs
 * here.
 */
const readerOptions = {
  format: 'iife',
  define: { 'import.meta.url': '"https://reader.invalid/"' },
  // pdf.js takes over the messages of any worker in which it is loaded, unless there is a `window`.
  banner: { js: 'globalThis.window ??= globalThis' },
}

/** A library for sandboxed code, by its file in `lib/sandbox/libraries`, as a script for CommonJS. @returns {Target} */
const libraryTarget = (name) => ({
  file: `public/sandbox-libs/${name.replace(/\.ts$/, '.js')}`,
  options: optionsOf(`lib/sandbox/libraries/${name}`, {
    format: 'cjs',
    legalComments: 'eof',
    alias: offscreen,
    // Node's classes are known by their names, also when they are printed.
    keepNames: name === 'zenfs.ts' || name === 'node.ts',
    ...((name.startsWith('document-') || name === 'sql.ts') && readerOptions),
    plugins: pluginsOf[name] ?? [],
  }),
  ...(name === 'zenfs.ts' && { wrap: async (script) => `${await zenfsBanner()}\n${script}` }),
})

/** Everything that is bundled. @returns {Promise<readonly Target[]>} */
export async function sandboxTargets() {
  const libraries = (await readdir(path.join(root, 'lib/sandbox/libraries')))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .toSorted()
  // A worker has no document: packages that use one in pages have another file for workers.
  const worker = (name, entry, more = {}) => ({
    file: `public/workers/${name}.js`,
    options: optionsOf(entry, { format: 'esm', conditions: ['worker', 'module'], ...more }),
  })
  return [
    {
      file: 'public/sandbox.html',
      options: optionsOf('lib/sandbox/frame/frame.ts', { plugins: [preludePlugin] }),
      wrap: pageOf('Sandbox'),
    },
    {
      file: 'public/wllama.html',
      options: optionsOf('lib/client/browser-models/wllama/frame/frame.ts'),
      wrap: pageOf('Model'),
    },
    { file: 'public/show.html', options: optionsOf('lib/sandbox/frame/show.ts'), wrap: pageOf('Displayed') },
    { file: 'public/run.html', options: optionsOf('lib/client/files/page/frame/frame.ts'), wrap: pageOf('Page') },
    {
      file: 'public/diagram.html',
      options: optionsOf('components/markdown/diagram/frame.ts'),
      wrap: pageOf('Diagrams'),
    },
    {
      file: 'public/signed-in.html',
      options: optionsOf('lib/client/mcp/sign-in/return-page.ts'),
      wrap: pageOf('Nod'),
    },
    worker('foreign', 'lib/client/export/other-chats/worker.ts'),
    worker('mcp', 'lib/client/mcp/worker.ts'),
    worker('models', 'lib/client/browser-models/own-server/worker.ts'),
    worker('ticks', 'lib/client/chats/tab-writer/ticks-worker.ts'),
    worker('markdown', 'components/markdown/worker.ts'),
    worker('origin', 'lib/shared/origin/worker.ts'),
    worker('secrets', 'lib/shared/secrets/worker.ts'),
    worker('search', 'lib/shared/tools/search-files/worker.ts'),
    worker('vfs', 'lib/vfs/indexeddb/worker.ts', { legalComments: 'eof' }),
    worker('wllama', 'lib/client/browser-models/wllama/worker.ts', { legalComments: 'eof' }),
    ...libraries.map(libraryTarget),
  ]
}

/** The file's text, from esbuild's output. @param {Target} target */
export const fileText = async ({ wrap = (script) => script }, result) => wrap(textOf(result))

/** The text of a library for sandboxed code, by its file in `lib/sandbox/libraries`. */
export async function bundleLibrary(name) {
  const target = libraryTarget(name)
  return fileText(target, await build(target.options))
}

/**
 * The text of each generated file, by its path under the project's root; `onInputs` receives the modules of each.
 * @param {{ only?: string, onInputs?: (file: string, inputs: readonly string[]) => void }} [options] `only` makes one file
 * @returns {Promise<Record<string, string>>}
 */
export async function buildSandboxFiles({ only, onInputs = () => {} } = {}) {
  const targets = (await sandboxTargets()).filter(({ file }) => only === undefined || file === only)
  const made = targets.map(async (target) => {
    const result = await build(target.options)
    onInputs(target.file, Object.keys(result.metafile.inputs))
    return [target.file, await fileText(target, result)]
  })
  // Embedded in the frame as text.
  if (only === undefined) onInputs('public/sandbox.html', Object.keys((await build(preludeOptions)).metafile.inputs))
  return {
    ...Object.fromEntries(await Promise.all(made)),
    ...(only === undefined && { [`public/sandbox-libs/${licencesFile}`]: await zenfsLicences() }),
  }
}

/** Writes a generated file if it differs; returns whether it did. */
export async function writeIfNew(name, text) {
  const file = path.join(root, name)
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return false
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  return true
}

/** Writes the files that differ; returns their paths. */
export async function writeSandboxFiles() {
  const changed = [
    ...(await copyPyodideFiles()),
    ...(await copyWllamaWasm()),
    ...(await copyDrawingFiles()),
    ...(await copyCMaps()),
  ]
  for (const [name, text] of Object.entries(await buildSandboxFiles()))
    if (await writeIfNew(name, text)) changed.push(name)
  return changed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const changed = await writeSandboxFiles()
  console.log(changed.length === 0 ? 'sandbox files are up to date' : `wrote: ${changed.join(', ')}`)
}

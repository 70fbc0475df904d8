// The modules of the chat's page, from a quick bundle of its component: seconds, while the build for `npm run size`
// takes minutes. Next's own runtime, React and Next's chunking are not included.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { inRoot } from '../setup/paths.mjs'

const entry = 'components/chat/chat-app.tsx'
/** Next and React are loaded separately. */
const external = ['next/*', 'react', 'react-dom', 'react/jsx-runtime', 'react/compiler-runtime', '*.css']

/**
 * `first`: the modules of the first load, `[path, bytes when minified]`, largest first; `all`: their paths and those of
 * lazy modules; `comesWith`: the paths that a lazy part loads, its own among them; `packages`: the modules of Next and React that either imports; `gzipped`: bytes of the first, gzipped.
 */
export async function pageModules() {
  const { metafile, outputFiles } = await build({
    entryPoints: [inRoot(entry)],
    absWorkingDir: inRoot('.'),
    tsconfig: inRoot('tsconfig.json'),
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    metafile: true,
    write: false,
    outdir: inRoot('.cache/page-modules'),
    jsx: 'automatic',
    platform: 'browser',
    external,
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.NOD_BUILD': '""',
      'process.env.NOD_BASE_PATH': '""',
      'process.env.NOD_FILES': '""',
    },
    logLevel: 'error',
  })
  const outputs = Object.entries(metafile.outputs)
  const outputsOf = (path) => {
    const taken = new Set()
    const take = (name) => {
      if (taken.has(name)) return
      taken.add(name)
      for (const { path: other, kind, external: isOutside } of metafile.outputs[name].imports) {
        if (kind === 'import-statement' && !isOutside) take(other)
      }
    }
    take(outputs.find(([, { entryPoint }]) => entryPoint === path)[0])
    return taken
  }
  const first = outputsOf(entry)

  const bytes = new Map()
  for (const [name, { inputs }] of outputs) {
    if (!first.has(name)) continue
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      bytes.set(path, (bytes.get(path) ?? 0) + bytesInOutput)
    }
  }
  const sizeOf = (name) => gzipSync(outputFiles.find(({ path }) => path === inRoot(name)).contents, { level: 9 }).length
  return {
    first: [...bytes].toSorted(([, a], [, b]) => b - a),
    all: Object.keys(metafile.inputs),
    comesWith: (path) => [...outputsOf(path)].flatMap((name) => Object.keys(metafile.outputs[name].inputs)),
    packages: [
      ...new Set(outputs.flatMap(([, { imports }]) => imports.filter((one) => one.external).map((one) => one.path))),
    ],
    gzipped: [...first].reduce((sum, name) => sum + sizeOf(name), 0),
  }
}

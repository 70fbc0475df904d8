import path from 'node:path'
import { build } from 'esbuild'

/**
 * The browser files to precache: everything that an open page may request, except large files (cached when used), what
 * sealed frames load themselves, and workers whose policy depends on the server's settings.
 * @param {readonly string[]} urlPaths @param {{ basePath: string, filesHash: string }} built
 * @returns {string[]} addresses as pages ask for them
 */
export function builtFilesOf(urlPaths, { basePath, filesHash }) {
  return urlPaths
    .map((urlPath) => urlPath.slice(basePath.length))
    .flatMap((name) => {
      if (name.startsWith('/_next/static/')) return /\.(?:js|css|woff2|json|wasm)$/.test(name) ? [name] : []
      if (name.startsWith('/drawing/katex')) return [name]
      const isLate = /^\/workers\/(?:models|wllama)\.js$/.test(name)
      const isVersioned = /^\/(?:workers|sandbox-libs)\/[^/]+\.js$|^\/wllama\.html$/.test(name)
      const isLarge = /^\/(?:sandbox-libs\/(?:pyodide|wheel)-|workers\/wllama-)/.test(name)
      return isVersioned && !isLarge && !isLate && filesHash !== '' ? [`${name}?v=${filesHash}`] : []
    })
    .map((name) => `${basePath}${name}`)
    .toSorted()
}

/** @param {string} basePath */
const headersFor = (basePath) => [
  ['Content-Type', 'application/javascript; charset=UTF-8'],
  ['X-Content-Type-Options', 'nosniff'],
  // Requested at each visit, and connects only to its own server.
  ['Cache-Control', 'no-cache'],
  ['Content-Security-Policy', "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"],
  // The first page is at the base path itself, which has no slash at its end.
  ['Service-Worker-Allowed', basePath === '' ? '/' : basePath],
]

/**
 * The service worker of a build, and the one that removes it: their texts and headers, by their addresses.
 * @param {string} project @param {{ env: Record<string, string>, files: readonly string[], basePath: string }} built
 * @returns {Promise<Record<string, { bytes: Buffer, headers: string[][] }>>}
 */
export async function bundleServiceWorkers(project, { env, files, basePath }) {
  const bundle = async (entry) => {
    const result = await build({
      entryPoints: [path.join(project, entry)],
      absWorkingDir: project,
      tsconfig: path.join(import.meta.dirname, '../../tsconfig.json'),
      bundle: true,
      write: false,
      minify: true,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      charset: 'utf8',
      logLevel: 'error',
      define: {
        BUILD_NAME: JSON.stringify(env.NOD_BUILD ?? ''),
        'process.env.NOD_BASE_PATH': JSON.stringify(basePath),
        'process.env.NOD_FILES': JSON.stringify(env.NOD_FILES ?? ''),
        BUILT_FILES: JSON.stringify(files),
      },
    })
    return Buffer.from(result.outputFiles[0].contents)
  }
  return Object.fromEntries(
    await Promise.all(
      [
        ['sw.js', 'lib/client/offline/service-worker.ts'],
        ['sw-off.js', 'lib/client/offline/service-worker-off.ts'],
      ].map(async ([name, entry]) => [
        `${basePath}/${name}`,
        { bytes: await bundle(entry), headers: headersFor(basePath) },
      ]),
    ),
  )
}

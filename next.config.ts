import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { NextConfig } from 'next'
import {
  appHeaders,
  dataHeaders,
  drawingHeaders,
  frameHeaders,
  modelFrameHeaders,
  modelWorkerPolicy,
  pageFrameHeaders,
  returnPageHeaders,
  workerHeaders,
} from './lib/server/http/response-headers'
import { readHosts, modelHostRules } from './lib/server/settings/read-hosts'

const publicFile = (name: string) => path.join(process.cwd(), 'public', name)

/** The frames' policies hold the hashes of their inline scripts, so they are read when the configuration is. */
const htmlOf = (name: string) => (existsSync(publicFile(name)) ? readFileSync(publicFile(name), 'utf8') : '')
const headersOf = (name: string, options: { runsCode: boolean; loadsOurs?: boolean }) => ({
  source: `/${name}`,
  headers: [...frameHeaders(htmlOf(name), options)],
})

/** What workers, frames and libraries of the sandbox hash to; Pyodide's own files bear its version in their names. */
const filesHash = () => {
  const files = globSync(
    '{workers/*,sandbox-libs/*,sandbox.html,show.html,run.html,wllama.html,diagram.html,signed-in.html}',
    {
      cwd: publicFile(''),
    },
  )
  const hash = createHash('sha256')
  for (const name of files.toSorted()) hash.update(`${name}\n`).update(readFileSync(publicFile(name)))
  return hash.digest('hex').slice(0, 16)
}

/** Where all of it is on its host; `scripts/setup/base-path.mjs` reads it, and has refused what is no path. */
const basePath = process.env.NOD_BASE_PATH ?? ''

/**
 * The workers that run models and talk to them, as they are served in development and until the built server says at its start which hosts are open
 * to them (`lib/server/wiring/process/serve-app.server.ts`).
 */
const modelWorkers = () => {
  const hostsOf = (name: 'NOD_MODEL_HOSTS' | 'NOD_BROWSER_MODELS' | 'NOD_MCP_HOSTS') => {
    const setting = modelHostRules[name]
    const hosts = readHosts(
      process.env.NODE_ENV === 'development' ? process.env[name] || setting.default : 'none',
      setting,
    )
    return hosts.ok ? hosts.value : []
  }
  const policies = {
    wllama: modelWorkerPolicy({ hosts: hostsOf('NOD_MODEL_HOSTS'), wasm: true }),
    // In development it is not narrowed to the server that it is asked with.
    mcp: modelWorkerPolicy({ hosts: hostsOf('NOD_MCP_HOSTS'), wasm: false, own: false }),
    models: modelWorkerPolicy({ hosts: hostsOf('NOD_BROWSER_MODELS'), wasm: false, own: false }),
  }
  return Object.entries(policies).map(([name, value]) => ({
    source: `/workers/${name}.js`,
    headers: [{ key: 'Content-Security-Policy', value }],
  }))
}

const config: NextConfig = {
  // Everything that the server needs, in a folder of its own: `scripts/release` puts the rest beside it.
  output: 'standalone',
  // Bundled, it would bring the validators that only it uses into every server chunk.
  serverExternalPackages: ['@modelcontextprotocol/client'],
  basePath,
  poweredByHeader: false,
  // A route is loaded when it is first asked for: the start is twice as quick, and an idle server 9 MB smaller.
  experimental: { preloadEntriesOnStart: false },
  // The server's entry does it, better: files are compressed when they are built, pages also by Brotli.
  compress: false,
  reactStrictMode: true,
  // `npm run check` proves the types; who starts Nod need not wait for that a second time.
  typescript: { ignoreBuildErrors: true },
  allowedDevOrigins: ['127.0.0.1'],
  // No picture of ours needs it, and it would fetch addresses for anyone.
  images: { unoptimized: true },
  // Put into the build itself: what starts it later need not know.
  env: {
    NOD_BUILD: process.env.NOD_BUILD ?? '',
    NOD_BASE_PATH: basePath,
    // In development they change under a running page.
    NOD_FILES: process.env.NODE_ENV === 'production' ? filesHash() : '',
  },
  headers: () =>
    Promise.resolve([
      { source: '/((?!sandbox\\.html$|show\\.html$|run\\.html$|diagram\\.html$).*)', headers: [...appHeaders] },
      // Under a base path the pattern above wants a slash after it.
      ...(basePath === '' ? [] : [{ source: '/', headers: [...appHeaders] }]),
      { source: '/api/(.*)', headers: [...dataHeaders] },
      { source: '/sandbox-libs/(.*)', headers: [...dataHeaders] },
      { source: '/robots.txt', headers: [...dataHeaders] },
      { source: '/workers/(.*)', headers: [...workerHeaders] },
      // The last one said of a header holds.
      ...modelWorkers(),
      // Their names carry the version: 9 MB and 13 MB that never change.
      {
        source: '/workers/wllama-:file',
        headers: [{ key: 'Cache-Control', value: 'public, max-age=31536000, immutable' }],
      },
      {
        source: '/sandbox-libs/pyodide-:file',
        headers: [{ key: 'Cache-Control', value: 'public, max-age=31536000, immutable' }],
      },
      {
        source: '/sandbox-libs/wheel-:file',
        headers: [{ key: 'Cache-Control', value: 'public, max-age=31536000, immutable' }],
      },
      { source: '/wllama.html', headers: [...modelFrameHeaders(htmlOf('wllama.html'))] },
      { source: '/signed-in.html', headers: [...returnPageHeaders(htmlOf('signed-in.html'))] },
      { source: '/drawing/(.*)', headers: [...drawingHeaders] },
      headersOf('sandbox.html', { runsCode: true }),
      headersOf('show.html', { runsCode: false }),
      { source: '/run.html', headers: [...pageFrameHeaders] },
      headersOf('diagram.html', { runsCode: false, loadsOurs: true }),
    ]),
}

export default config

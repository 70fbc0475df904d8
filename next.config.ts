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

/** A frame's policy contains the hash of its inline script, so the frames are read together with the configuration. */
const htmlOf = (name: string) => (existsSync(publicFile(name)) ? readFileSync(publicFile(name), 'utf8') : '')
const headersOf = (name: string, options: { runsCode: boolean; loadsOurs?: boolean }) => ({
  source: `/${name}`,
  headers: [...frameHeaders(htmlOf(name), options)],
})

/** The hash of the sandbox's workers, frames and libraries. The names of Pyodide's own files contain its version. */
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

/** The path of Nod on its host. `scripts/setup/base-path.mjs` has validated it. */
const basePath = process.env.NOD_BASE_PATH ?? ''

/**
 * The workers that run models, or connect to them. These policies apply in development. A built server replaces them at
 * its start with the allowed hosts (`lib/server/wiring/process/serve-app.server.ts`).
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
    // In development it is not limited to the server that its address names.
    mcp: modelWorkerPolicy({ hosts: hostsOf('NOD_MCP_HOSTS'), wasm: false, own: false }),
    models: modelWorkerPolicy({ hosts: hostsOf('NOD_BROWSER_MODELS'), wasm: false, own: false }),
  }
  return Object.entries(policies).map(([name, value]) => ({
    source: `/workers/${name}.js`,
    headers: [{ key: 'Content-Security-Policy', value }],
  }))
}

const config: NextConfig = {
  // Everything that the server needs, in a separate folder, to which `scripts/release` adds the rest.
  output: 'standalone',
  // If bundled, it would add validators that only it uses to every server chunk.
  serverExternalPackages: ['@modelcontextprotocol/client'],
  basePath,
  poweredByHeader: false,
  // A route is loaded at its first request: the start takes half the time, and an idle server uses 9 MB less.
  experimental: { preloadEntriesOnStart: false },
  // The server's entry compresses better: files at build time, and pages also with Brotli.
  compress: false,
  reactStrictMode: true,
  // `npm run check` checks the types, so a build does not repeat that.
  typescript: { ignoreBuildErrors: true },
  allowedDevOrigins: ['127.0.0.1'],
  // None of our pictures needs it, and it would fetch addresses for anyone.
  images: { unoptimized: true },
  // Built in, so that the server needs no settings for them.
  env: {
    NOD_BUILD: process.env.NOD_BUILD ?? '',
    NOD_BASE_PATH: basePath,
    // In development they change while a page is open.
    NOD_FILES: process.env.NODE_ENV === 'production' ? filesHash() : '',
  },
  headers: () =>
    Promise.resolve([
      { source: '/((?!sandbox\\.html$|show\\.html$|run\\.html$|diagram\\.html$).*)', headers: [...appHeaders] },
      // With a base path, the pattern above does not match the path without its trailing slash.
      ...(basePath === '' ? [] : [{ source: '/', headers: [...appHeaders] }]),
      { source: '/api/(.*)', headers: [...dataHeaders] },
      { source: '/sandbox-libs/(.*)', headers: [...dataHeaders] },
      { source: '/robots.txt', headers: [...dataHeaders] },
      { source: '/workers/(.*)', headers: [...workerHeaders] },
      // Of several values of a header, the last one counts.
      ...modelWorkers(),
      // Their names contain the version, so these 9 MB and 13 MB never change.
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

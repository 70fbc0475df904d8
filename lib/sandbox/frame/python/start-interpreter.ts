import { loadPyodide, type PyodideAPI } from 'pyodide'
import bootstrap from './bootstrap.py'
import display from './display.py'
import packages from './packages.py'
import type { RelayToWorker, WorkerToRelay } from '../protocol'

/** The list of packages that Pyodide's loader would fetch: none. */
const noPackages = JSON.stringify({
  info: { abi_version: '2026_0', arch: 'wasm32', platform: 'emscripten_5_0_3', python: '3.14.2' },
  packages: {},
})
const nowhere = 'https://python.invalid/'

/** If matplotlib is loaded, it draws for `display` (packages.py), and keeps its cache in memory. */
const env = {
  HOME: '/',
  TMPDIR: '/dev/shm/tmp',
  MPLBACKEND: 'module://nod_figures',
  MPLCONFIGDIR: '/dev/shm/matplotlib',
}

async function importScript(script: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  try {
    return ((await import(/* @vite-ignore */ url)) as { readonly default: unknown }).default
  } finally {
    URL.revokeObjectURL(url)
  }
}

type Loader = NonNullable<Parameters<typeof loadPyodide>[0]>

/**
 * Starts an interpreter in this worker from bytes alone. A fresh start also returns its memory as a snapshot, captured
 * when all of our code was loaded and nothing else; from a snapshot it is ready in a fraction of that time.
 */
export async function startInterpreter(
  start: PythonStart,
): Promise<{ readonly python: PyodideAPI; readonly snapshot: Uint8Array<ArrayBuffer> | null }> {
  const fetchBefore = self.fetch
  const instantiateBefore = WebAssembly.instantiateStreaming
  const instantiate = WebAssembly.instantiate.bind(WebAssembly)
  // The loader fetches its files; there is no network, so they are provided here.
  self.fetch = (request) =>
    Promise.resolve(
      String(request instanceof Request ? request.url : request).endsWith('.zip')
        ? new Response(start.stdlib)
        : new Response(''),
    )
  WebAssembly.instantiateStreaming = async (_response, imports) => ({
    module: start.module,
    instance: await instantiate(start.module, imports),
  })
  try {
    const python = await loadPyodide({
      createPyodideModule: (await importScript(start.script)) as NonNullable<Loader['createPyodideModule']>,
      lockFileContents: noPackages,
      indexURL: nowhere,
      packageBaseUrl: nowhere,
      env,
      ...(start.snapshot === null ? { _makeSnapshot: true } : { _loadSnapshot: start.snapshot }),
    })
    if (start.snapshot !== null) return { python, snapshot: null }
    for (const [name, source] of Object.entries({ packages, display, bootstrap }))
      python.runPython(source, { filename: `/lib/python3.14/nod_${name}.py` })
    return { python, snapshot: python.makeMemorySnapshot() as Uint8Array<ArrayBuffer> }
  } finally {
    self.fetch = fetchBefore
    WebAssembly.instantiateStreaming = instantiateBefore
  }
}

/** What the frame sends a Python worker first, before any untrusted code. */
export interface PythonStart {
  readonly type: 'start'
  /** Text of pyodide.asm.mjs. */
  readonly script: Uint8Array<ArrayBuffer>
  /** pyodide.asm.wasm, compiled once per frame. */
  readonly module: WebAssembly.Module
  /** python_stdlib.zip. */
  readonly stdlib: Uint8Array<ArrayBuffer>
  /** The memory of an interpreter that has not run untrusted code yet; null: start one, and send its memory back. */
  readonly snapshot: Uint8Array<ArrayBuffer> | null
}

export type FrameToPython = PythonStart | RelayToWorker

export type PythonToFrame = WorkerToRelay | { readonly type: 'snapshot'; readonly snapshot: Uint8Array<ArrayBuffer> }

import { loadPyodide, type PyodideAPI } from 'pyodide'
import bootstrap from './bootstrap.py'
import display from './display.py'
import packages from './packages.py'
import type { RelayToWorker, WorkerToRelay, AssetBytes } from '../protocol'
import { inLoadOrder, packageListAsset, wheelAsset, type PythonPackage } from '../../python-packages'

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

/*
 * Loads packages beyond the standard library, in the worker of a Python run. The page provides them as assets, and has
 * checked that the bytes match the hash.
 */

const sitePackages = '/lib/python3.14/site-packages'

/** The part of Pyodide that is used here. */
export interface PackagePython {
  readonly globals: { get(name: string): unknown }
  /** Unpacks a wheel, and links its native modules. */
  readonly _api: {
    install(bytes: Uint8Array, file: string, folder: string, metadata: ReadonlyMap<string, string>): Promise<void>
  }
}

export interface PackagesPorts {
  /** Requests an asset from the page; the answer comes to `take`. */
  readonly ask: (id: number, name: string) => void
  readonly warn: (line: string) => void
}

export interface Packages {
  /**
   * Loads the packages that code imports. Rejects with a message if one is unavailable. Costs nothing for code without
   * such imports: the page is not asked.
   */
  prepare(python: PackagePython, code: string): Promise<void>
  take(id: number, bytes: AssetBytes): void
}

export function createPackages({ ask, warn }: PackagesPorts): Packages {
  const asked = new Map<number, (bytes: AssetBytes) => void>()
  /** By package name: each is loaded once. */
  const loaded = new Map<string, Promise<void>>()
  let ids = 0

  const asset = (name: string) =>
    new Promise<AssetBytes>((resolve) => {
      const id = ++ids
      asked.set(id, resolve)
      ask(id, name)
    })

  async function load(python: PackagePython, names: readonly string[], all: readonly PythonPackage[]): Promise<void> {
    const wanted = inLoadOrder(names, all).filter(({ name }) => !loaded.has(name))
    const { _api: pyodide } = python
    const arriving = wanted.map(async (each) => ({ each, bytes: await asset(wheelAsset(each.sha256)) }))
    for (const { each, bytes } of await Promise.all(arriving)) {
      if (bytes === null)
        throw new Error(`The package ${each.name} could not be loaded. Check the network, then run the call again.`)
      const installing = pyodide.install(bytes, each.file, sitePackages, new Map([['INSTALLER', 'nod']]))
      loaded.set(each.name, installing)
      await installing
    }
  }

  return {
    take(id, bytes) {
      asked.get(id)?.(bytes)
      asked.delete(id)
    },
    async prepare(python, code) {
      const find = python.globals.get('_nod_wanted') as (code: string) => string
      const wanted = JSON.parse(find(code)) as Readonly<Record<string, string | null>>
      // Code that determines its modules only at run time is handled by the late finder.
      if (Object.keys(wanted).length === 0 && !/import_module|__import__|importlib/.test(code)) return
      const list = await asset(packageListAsset)
      if (list === null) return
      const all = JSON.parse(new TextDecoder().decode(list)) as readonly PythonPackage[]
      const byModule = new Map(all.flatMap(({ name, imports }) => imports.map((module) => [module, name] as const)))
      const names: string[] = []
      for (const [module, place] of Object.entries(wanted)) {
        const name = byModule.get(module)
        if (name === undefined) continue
        if (place === null) names.push(name)
        else warn(`${module} is this chat’s own ${place}, not the package ${name}.`)
      }
      await load(python, names, all)
      const know = python.globals.get('_nod_know') as (
        installed: string,
        load: (module: string) => Promise<void>,
      ) => void
      know(JSON.stringify(Object.fromEntries(byModule)), (module) => load(python, [byModule.get(module) ?? ''], all))
    },
  }
}

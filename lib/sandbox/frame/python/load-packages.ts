import { inLoadOrder, packageListAsset, wheelAsset, type PythonPackage } from '../../python-packages'
import type { AssetBytes } from '../protocol'

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

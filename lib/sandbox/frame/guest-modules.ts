import type { GuestAssets } from './guest-assets'
import { libraries } from './libraries'
import type { ModulePorts, PreparedEntry } from './modules/module'
import type { GuestNode } from './node/guest-node'

export interface GuestModulesPorts {
  readonly assets: GuestAssets
  /** Null: the code speaks of no files, so it imports none. */
  readonly node: () => GuestNode | null
  readonly compile: ModulePorts['compile']
  readonly placeOfSyntaxError: ModulePorts['placeOfSyntaxError']
}

type ModulesAsset = {
  readonly createModuleGraph: (ports: ModulePorts) => {
    prepare(code: string, types: readonly string[]): Promise<PreparedEntry>
  }
}

/** Code that imports, requires or has types: what prepares it is an asset, loaded when such code comes. */
export function createGuestModules({ assets, node, compile, placeOfSyntaxError }: GuestModulesPorts) {
  return {
    async prepare(code: string): Promise<PreparedEntry> {
      const { createModuleGraph } = await assets.load<ModulesAsset>('modules.js')
      const there = node()
      const graph = createModuleGraph({
        compile,
        placeOfSyntaxError,
        libraries: Object.keys(libraries),
        builtIns: there?.builtIns ?? {},
        missing: there?.missing ?? {},
        async loadLibrary(name) {
          const library = libraries[name]
          if (library === undefined) throw new Error(`There is no package ${name} here.`)
          return (await assets.load<Readonly<Record<string, unknown>>>(library.asset))[library.member]
        },
        listFolder: (path) => there?.files.list(path) ?? null,
        readText(path, maxBytes) {
          const size = there?.files.size(path) ?? -1
          if (size < 0 || there === null) return { ok: false, message: `There is no file ${path}.` }
          if (size > maxBytes) {
            const sizes = `${(size / 1e6).toFixed(1)} MB, and ${maxBytes / 1e6} MB is the most`
            return { ok: false, message: `${path} is too large to be imported: ${sizes}. Read it with fs.readFile.` }
          }
          return { ok: true, text: new TextDecoder().decode(there.files.read(path)) }
        },
      })
      return graph.prepare(code, ['javascript', 'typescript'])
    },
  }
}

import type { GuestAssets } from './guest-assets'
import type { CallHost } from './guest-fs'
import { libraries } from './libraries'
import type { ModulePorts, PreparedEntry } from './modules/module-graph'
import type { FileStat } from './protocol'

export interface GuestModulesPorts {
  readonly assets: GuestAssets
  readonly callHost: CallHost
  readonly guestFs: object
  readonly compile: ModulePorts['compile']
  readonly placeOfSyntaxError: ModulePorts['placeOfSyntaxError']
}

type ModulesAsset = {
  readonly createModuleGraph: (ports: ModulePorts) => {
    prepare(code: string, types: readonly string[]): Promise<PreparedEntry>
  }
  readonly posixPath: object
}

/** Code that imports, requires or has types: what prepares it is an asset, loaded when such code comes. */
export function createGuestModules({ assets, callHost, guestFs, compile, placeOfSyntaxError }: GuestModulesPorts) {
  return {
    async prepare(code: string): Promise<PreparedEntry> {
      const { createModuleGraph, posixPath } = await assets.load<ModulesAsset>('modules.js')
      const graph = createModuleGraph({
        compile,
        placeOfSyntaxError,
        libraries: Object.keys(libraries),
        builtIns: { fs: guestFs, 'fs/promises': guestFs, path: posixPath, 'path/posix': posixPath },
        async loadLibrary(name) {
          const library = libraries[name]
          if (library === undefined) throw new Error(`There is no package ${name} here.`)
          return (await assets.load<Readonly<Record<string, unknown>>>(library.asset))[library.member]
        },
        async listFolder(path) {
          const answer = await callHost('list', [path])
          if (!answer.ok || !Array.isArray(answer.value)) return null
          return new Map((answer.value as readonly FileStat[]).map(({ name, kind }) => [name, kind]))
        },
        async readText(path, maxBytes) {
          const found = await callHost('stat', [path])
          if (!found.ok) return { ok: false, message: found.message }
          const { size } = found.value as FileStat
          if (size > maxBytes) {
            const sizes = `${(size / 1e6).toFixed(1)} MB, and ${maxBytes / 1e6} MB is the most`
            return { ok: false, message: `${path} is too large to be imported: ${sizes}. Read it with fs.readFile.` }
          }
          const read = await callHost('read', [path])
          if (!read.ok) return { ok: false, message: read.message }
          return { ok: true, text: new TextDecoder().decode(read.value as Uint8Array) }
        },
      })
      return graph.prepare(code, ['javascript', 'typescript'])
    },
  }
}

import { codeParameters, type ModulePorts, type PreparedEntry } from './module'
import { createLoader } from './module-loader'
import { checkNames, createModuleRunner } from './module-runner'
import { createModuleShelf } from './module-shelf'
import { transformCode, type SourceType } from './transform'

/*
 * The modules of one run. A graph is first loaded whole (read, transformed, every import found), then evaluated in the
 * order of ES modules: what a module imports runs before it, a circle is entered once and left as it stands. Scripts with
 * `require` are evaluated where they are asked for.
 */

export function createModuleGraph(ports: ModulePorts) {
  const shelf = createModuleShelf(ports, () => moduleModule, compiles)
  const { evaluate, requireOf, valuesFor } = createModuleRunner(ports, shelf)
  const { modules, newModule, isBuiltIn } = shelf

  function compiles(kind: 'async' | 'sync', body: string): boolean {
    try {
      ports.compile(kind, codeParameters, body, 'nod-probe.js')
      return true
    } catch {
      return false
    }
  }

  const moduleModule = {
    createRequire: (place: string | URL) => {
      const path = decodeURIComponent(String(place).replace(/^file:\/\//, ''))
      return requireOf({
        ...(modules.get('') ?? newModule('', null)),
        path,
        requires: modules.get('')?.requires ?? new Map(),
      })
    },
    builtinModules: Object.keys(ports.builtIns),
    isBuiltin: (name: string) => isBuiltIn(name.replace(/^node:/, '')),
  }

  return {
    /** Reads the run's own code and evaluates what it imports. Rejects with the error of a module. */
    async prepare(code: string, types: readonly SourceType[]): Promise<PreparedEntry> {
      const transformed = transformCode(code, types, (body) => compiles('async', body))
      if (!transformed.ok) return transformed
      const entry = newModule('', null)
      entry.code = transformed.code
      entry.state = 'running'
      const loader = createLoader(ports, shelf)
      await loader.link(entry, transformed.code)
      await loader.loadAll()
      await evaluate(entry.imports.map(({ target }) => target))
      for (const each of entry.imports) checkNames(entry, each)
      const { body, isModule, isTypeScript } = transformed.code
      return {
        ok: true,
        body,
        isModule,
        isTypeScript,
        parameters: codeParameters.slice(0, 5),
        values: valuesFor(entry),
      }
    },
  }
}

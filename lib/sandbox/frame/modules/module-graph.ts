import {
  createModuleRegistry,
  missingSentence,
  type ModuleRegistry,
  noPackage,
  type Missing,
  codeParameters,
  type ModulePorts,
  type PreparedEntry,
  moduleFolder,
  isFailed,
  isRunning,
  list,
  notFound,
  orderOf,
  sourceNameOf,
  type Dependency,
  type Module,
} from './module-registry'
import { transformCode, type SourceType, type TransformedCode } from './transform'
import { resolveSpecifier, type ListFolder, posixPath } from './resolve'

/*
 * The modules of one run. A graph is first loaded completely (read, transformed, every import resolved), then evaluated
 * in the order of ES modules: a module's imports run before it, and a cycle is entered once, with unfinished modules
 * used as they are. Scripts with
 * `require` are evaluated when they are required.
 */

export function createModuleGraph(ports: ModulePorts) {
  const registry = createModuleRegistry(ports, () => moduleModule, compiles)
  const { evaluate, requireOf, valuesFor } = createModuleRunner(ports, registry)
  const { modules, newModule, isBuiltIn } = registry

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
    /** Reads the run's own code and evaluates its imports. Rejects with the error of a module. */
    async prepare(code: string, types: readonly SourceType[]): Promise<PreparedEntry> {
      const transformed = transformCode(code, types, (body) => compiles('async', body))
      if (!transformed.ok) return transformed
      const entry = newModule('', null)
      entry.code = transformed.code
      entry.state = 'running'
      const loader = createLoader(ports, registry)
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

/** Evaluates linked modules, each once, and provides `require` and `import()` to them. */
function createModuleRunner(ports: ModulePorts, registry: ModuleRegistry) {
  const { modules, findNow } = registry
  let lastLoading: Promise<unknown> = Promise.resolve()

  /** A script that is run with arguments is the main module, as in Node: `process.argv` names it. */
  function mainModule(): Module | undefined {
    const { process } = globalThis as { readonly process?: { readonly argv?: readonly unknown[] } }
    const path = process?.argv?.[1]
    return modules.get(typeof path === 'string' ? path : '') ?? modules.get('')
  }

  function valuesFor(module: Module): readonly unknown[] {
    const path = module.path ?? '/code.js'
    const folder = posixPath.dirname(path)
    const meta = {
      url: `file://${encodeURI(path)}`,
      filename: path,
      dirname: folder,
      main: module === mainModule(),
      resolve: (specifier: string) => `file://${requireOf(module).resolve(specifier)}`,
    }
    return [
      module.module.exports,
      requireOf(module),
      module.module,
      (specifier: unknown) => importFrom(module, specifier),
      meta,
      () => (module.state = 'done'),
      (thrown: unknown) => {
        module.state = 'failed'
        module.thrown = thrown
      },
      path,
      folder,
    ]
  }

  /** Runs a module's body up to its end or its first top-level await. Its imports must already be evaluated. */
  function begin(module: Module): void {
    if (module.state !== 'new' || module.code === null) return
    const { isModule, body } = module.code
    module.state = 'running'
    try {
      for (const each of module.imports) checkNames(module, each)
      const name = sourceNameOf(module.path ?? '')
      if (isModule) {
        const whole = `"use strict";try{${body}\n;$done()}catch($e){$failed($e)}`
        const main = ports.compile('async', codeParameters, whole, name)
        module.running = Promise.resolve(main(...valuesFor(module))).then(() => undefined)
      } else {
        const main = ports.compile('sync', codeParameters, body, name)
        main.call(module.module.exports, ...valuesFor(module))
        module.state = 'done'
      }
    } catch (thrown) {
      module.state = 'failed'
      module.thrown = thrown instanceof SyntaxError ? withPlace(ports, thrown, module) : thrown
    }
  }

  async function evaluate(roots: readonly Module[]): Promise<void> {
    for (const next of orderOf(roots)) {
      begin(next)
      await next.running
      if (isFailed(next)) throw next.thrown
    }
  }

  /** The `require` function of a module. */
  const requireOf = (from: Module) =>
    Object.assign((specifier: unknown) => requireFrom(from, specifier), {
      resolve(specifier: unknown) {
        const found = resolveSpecifier(String(specifier), moduleFolder(from), ports.listFolder)
        if (found.kind === 'failed') throw notFound(`${found.message}.`)
        return found.kind === 'file' ? found.path : found.name
      },
      main: mainModule()?.module,
      cache: {},
    })

  /** The file may have been written since the failed lookup; otherwise `why` says what was missing. */
  function findLate(specifier: string, from: Module, why: string | undefined): Module {
    try {
      return findNow(specifier, from)
    } catch (thrown) {
      throw why !== undefined && (thrown as { code?: unknown }).code === 'MODULE_NOT_FOUND' ? notFound(why) : thrown
    }
  }

  function requireFrom(from: Module, specifier: unknown): unknown {
    const known = from.requires.get(String(specifier))
    const target = typeof known === 'object' ? known : findLate(String(specifier), from, known)
    for (const next of orderOf([target])) {
      // A module that is already running is in a cycle with the requesting one, and is returned unfinished.
      const isFirst = next.state === 'new'
      begin(next)
      if (isFailed(next)) throw next.thrown
      if (isFirst && isRunning(next))
        throw new Error(`${next.path ?? ''} awaits at its top level: use \`await import(…)\` instead of require.`)
    }
    return target.module.exports
  }

  async function importFrom(from: Module, specifier: unknown): Promise<unknown> {
    const loadTarget = async () => {
      const loader = createLoader(ports, registry)
      const found = await loader.find(String(specifier), from.path)
      if (!('id' in found)) throw notFound(missingSentence(found), 'ERR_MODULE_NOT_FOUND')
      await loader.loadAll()
      return found
    }
    // One graph at a time: modules shared by two graphs are complete before either is evaluated.
    const loading = lastLoading.then(loadTarget)
    lastLoading = loading.catch(() => undefined)
    const target = await loading
    await evaluate([target])
    return namespaceOf(target.module.exports)
  }

  return { evaluate, requireOf, valuesFor }
}

function withPlace(ports: ModulePorts, error: SyntaxError, module: Module): SyntaxError {
  const place = ports.placeOfSyntaxError(error)
  const where = `${module.path ?? 'the code'}${place === '' ? '' : ` ${place}`}`
  return new SyntaxError(error.message.includes(where) ? error.message : `${error.message} (${where})`)
}

/**
 * As in an engine, importing a name that is not exported is an error of the importer. TypeScript names may be types.
 */
function checkNames(module: Module, { specifier, names, line, target }: Dependency): void {
  const { exports } = target.module
  if (module.code?.isTypeScript !== false || target.state !== 'done') return
  if (typeof exports !== 'object' || exports === null) return
  const isModule = '__esModule' in exports
  const missing = names.find((name) => !(name in exports) && (isModule || name !== 'default'))
  if (missing === undefined) return
  const there = Object.keys(exports).filter((name) => name !== '__esModule')
  const by = module.path === null ? `line ${line}` : `${module.path} line ${line}`
  throw new SyntaxError(
    `${specifier} has no export named ${missing}, imported by ${by}. It exports: ${list(there.slice(0, 40)) || 'nothing'}.`,
  )
}

/** The result of `import()`: the module's own exports, or those of a script with the whole as `default`. */
function namespaceOf(exports: unknown): unknown {
  const hasNames = (typeof exports === 'object' || typeof exports === 'function') && exports !== null
  if (hasNames && '__esModule' in exports) return exports
  return { ...(hasNames ? exports : {}), default: exports }
}

/** Loads one graph; folders are listed only once per load. */
function createLoader(ports: ModulePorts, { modules, builtIn, fileModule, ready, read }: ModuleRegistry) {
  const folders = new Map<string, ReturnType<ListFolder>>()
  const listFolder: ListFolder = (path) => {
    const known = folders.get(path)
    if (known !== undefined) return known
    const listed = ports.listFolder(path)
    folders.set(path, listed)
    return listed
  }
  const queue: Module[] = []

  async function find(specifier: string, from: string | null): Promise<Module | Missing> {
    const found = resolveSpecifier(specifier, from === null ? '/' : posixPath.dirname(from), listFolder)
    if (found.kind === 'failed') return found
    if (found.kind === 'file') {
      const known = modules.get(found.path)
      if (known !== undefined) return known
      const made = fileModule(found.path)
      queue.push(made)
      return made
    }
    const name = found.name.replace(/^node:/, '')
    const there = builtIn(name)
    if (there !== null) return there
    if (!ports.libraries.includes(found.name)) return noPackage(ports, found.name)
    return ready(`package:${name}`, await ports.loadLibrary(name))
  }

  /** Resolves a module's imports. A missing file fails an import at once, but a `require` only when it is reached. */
  async function link(module: Module, code: TransformedCode): Promise<void> {
    const by = (line: number) =>
      module.path === null ? `imported in line ${line}` : `imported by ${module.path} line ${line}`
    const say = ({ message, hint }: Missing, line: number) =>
      missingSentence({ message: `${message}, ${by(line)}`, hint })
    const imports: Dependency[] = []
    for (const { specifier, names, line } of code.imports) {
      const target = await find(specifier, module.path)
      if (!('id' in target)) throw notFound(say(target, line), 'ERR_MODULE_NOT_FOUND')
      imports.push({ specifier, line, names, target })
    }
    const requires = new Map<string, Module | string>(imports.map((each) => [each.specifier, each.target]))
    for (const { specifier, line } of code.requires) {
      if (requires.has(specifier)) continue
      const target = await find(specifier, module.path)
      requires.set(specifier, 'id' in target ? target : say(target, line))
    }
    module.imports = imports
    module.requires = requires
  }

  async function load(module: Module): Promise<void> {
    const code = read(module)
    if (code !== null) await link(module, code)
  }

  return {
    find,
    link,
    async loadAll(): Promise<void> {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        try {
          await load(next)
        } catch (thrown) {
          // Not cached: the file may be written again before it is imported again.
          for (const each of [next, ...queue]) modules.delete(each.id)
          throw thrown
        }
      }
    },
  }
}

import { posixPath } from './posix-path'
import { resolveSpecifier, type ListFolder } from './resolve'
import { transformCode, type BrokenCode, type SourceType, type TransformedCode } from './transform'

/*
 * The modules of one run. A graph is first loaded whole (read, transformed, every import found), then evaluated in the
 * order of ES modules: what a module imports runs before it, a circle is entered once and left as it stands. Scripts with
 * `require` are evaluated where they are asked for.
 */

export interface ModulePorts {
  readonly listFolder: ListFolder
  /** A file of at most `maxBytes`; the message is a sentence. */
  readonly readText: (
    path: string,
    maxBytes: number,
  ) => { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string }
  /** What is there without loading: Node's own modules. */
  readonly builtIns: Readonly<Record<string, unknown>>
  /** Those of Node's that are not, with the way out as a sentence. */
  readonly missing: Readonly<Record<string, string>>
  /** Libraries by their package names. */
  readonly libraries: readonly string[]
  readonly loadLibrary: (name: string) => Promise<unknown>
  /** A function of these parameters, known to stacks by `name`. Throws a SyntaxError. */
  readonly compile: (kind: 'async' | 'sync', parameters: readonly string[], body: string, name: string) => Compiled
  /** What to say of a SyntaxError's place, such as "line 3", or ''. */
  readonly placeOfSyntaxError: (thrown: unknown) => string
}

export type Compiled = (...values: readonly unknown[]) => unknown

/** The code of the run itself, made ready: its imports are done when it is given back. */
export type PreparedEntry =
  | {
      readonly ok: true
      readonly body: string
      readonly parameters: readonly string[]
      readonly values: readonly unknown[]
      readonly isModule: boolean
      readonly isTypeScript: boolean
    }
  | { readonly ok: false; readonly error: BrokenCode }

const maxModules = 2_000
const maxModuleBytes = 2_000_000
const maxJsonBytes = 10_000_000
const maxTotalBytes = 20_000_000

interface Dependency {
  readonly specifier: string
  readonly line: number
  readonly names: readonly string[]
  readonly target: Module
}

interface Module {
  readonly id: string
  readonly path: string | null
  code: TransformedCode | null
  imports: readonly Dependency[]
  /** By specifier; a text is why it can't be had, thrown when it is asked for. */
  requires: ReadonlyMap<string, Module | string>
  module: { exports: unknown }
  state: 'new' | 'running' | 'done' | 'failed'
  thrown: unknown
  running: Promise<void>
}

const codeParameters = [
  'exports',
  'require',
  'module',
  '$import',
  '$meta',
  '$done',
  '$failed',
  '__filename',
  '__dirname',
]

const typesOf = (path: string): readonly SourceType[] | null => {
  if (/\.[cm]?ts$/.test(path)) return ['typescript']
  if (path.endsWith('.tsx')) return ['tsx']
  return /\.[cm]?js$/.test(path) ? ['javascript', 'typescript'] : null
}

// Asked by function: a module changes its state while it runs, which the compiler does not see.
const isFailed = (module: Module) => module.state === 'failed'
const isRunning = (module: Module) => module.state === 'running'

const notFound = (message: string, code = 'MODULE_NOT_FOUND') => Object.assign(new Error(message), { code })

const list = (names: readonly string[]) => names.join(', ')

/** How a file is named in an engine's stack; `code-location.ts` reads it. */
export const sourceNameOf = (path: string): string => `nod-file://${encodeURI(path)}`

export function createModuleGraph(ports: ModulePorts) {
  const modules = new Map<string, Module>()
  let totalBytes = 0
  let lastLoading: Promise<unknown> = Promise.resolve()

  const newModule = (id: string, path: string | null): Module => {
    const made: Module = {
      id,
      path,
      code: null,
      imports: [],
      requires: new Map(),
      module: { exports: {} },
      state: 'new',
      thrown: null,
      running: Promise.resolve(),
    }
    modules.set(id, made)
    return made
  }
  const ready = (id: string, exports: unknown): Module => {
    const made = newModule(id, null)
    made.module.exports = exports
    made.state = 'done'
    return made
  }

  const isBuiltIn = (name: string) => Object.hasOwn(ports.builtIns, name)
  const noPackage = (name: string): { readonly message: string; readonly hint: string } => {
    const plain = name.replace(/^node:/, '')
    const hint = Object.hasOwn(ports.missing, plain) ? ports.missing[plain] : undefined
    if (hint !== undefined) return { message: `There is no module ${plain} here`, hint }
    const there = `can be imported here: ${list(ports.libraries)}, Node’s own modules (fs, path, crypto and more), and files of this chat by their path (./a.js)`
    return {
      message: `There is no package ${name.slice(0, 100)} here, and no network to get it. These ${there}`,
      hint: '',
    }
  }
  const builtIn = (name: string): Module | null => {
    const known = modules.get(`package:${name}`)
    if (known !== undefined) return known
    if (name === 'module' && isBuiltIn('fs')) return ready('package:module', moduleModule)
    return isBuiltIn(name) ? ready(`package:${name}`, ports.builtIns[name]) : null
  }
  const fileModule = (path: string): Module => {
    if (modules.size >= maxModules) throw new Error(`The code imports more than ${maxModules} modules.`)
    return newModule(path, path)
  }
  const folderOf = ({ path }: Module) => (path === null ? '/' : posixPath.dirname(path))

  /** Reads and rewrites a file; null when there is nothing to link, as in JSON. */
  function read(module: Module): TransformedCode | null {
    const path = module.path ?? ''
    const types = typesOf(path)
    const isJson = path.endsWith('.json')
    if (types === null && !isJson) {
      throw new Error(`${path} is neither JavaScript, TypeScript nor JSON. Read it with fs.readFileSync.`)
    }
    const found = ports.readText(path, isJson ? maxJsonBytes : maxModuleBytes)
    if (!found.ok) throw new Error(found.message)
    totalBytes += found.text.length
    if (totalBytes > maxTotalBytes) throw new Error('The imported modules are too large: more than 20 MB in all.')
    if (types === null) {
      module.module.exports = parseJson(found.text, path)
      module.state = 'done'
      return null
    }
    const transformed = transformCode(found.text.replace(/^#!.*/, ''), types, (body) => compiles('async', body))
    if (!transformed.ok) {
      const { message, line, column } = transformed.error
      throw new SyntaxError(`${message} (${path} line ${line}, column ${column})`)
    }
    module.code = transformed.code
    return transformed.code
  }

  /** A module whose name is known only now: what lies in the files is read at once, a package has to be there already. */
  function findNow(specifier: string, from: Module): Module {
    const found = resolveSpecifier(specifier, folderOf(from), ports.listFolder)
    if (found.kind === 'failed') throw notFound(`${found.message}.${found.hint === '' ? '' : ` ${found.hint}`}`)
    if (found.kind === 'package') {
      const name = found.name.replace(/^node:/, '')
      const there = builtIn(name)
      if (there !== null) return there
      const late = {
        message: `The package ${name} is not loaded`,
        hint: `Write its name as it stands, require("${name}"), or use \`await import("${name}")\`.`,
      }
      const { message, hint } = ports.libraries.includes(name) ? late : noPackage(found.name)
      throw notFound(`${message}.${hint === '' ? '' : ` ${hint}`}`)
    }
    const known = modules.get(found.path)
    if (known !== undefined) return known
    const made = fileModule(found.path)
    try {
      const code = read(made)
      made.imports = (code?.imports ?? []).map(({ names, line, ...rest }) => ({
        specifier: rest.specifier,
        names,
        line,
        target: findNow(rest.specifier, made),
      }))
      made.requires = new Map(made.imports.map((each) => [each.specifier, each.target]))
    } catch (thrown) {
      modules.delete(made.id)
      throw thrown
    }
    return made
  }

  /** One loading of a graph; folders are listed once in it. */
  function createLoader() {
    const folders = new Map<string, ReturnType<ListFolder>>()
    const listFolder: ListFolder = (path) => {
      const known = folders.get(path)
      if (known !== undefined) return known
      const listed = ports.listFolder(path)
      folders.set(path, listed)
      return listed
    }
    const queue: Module[] = []

    async function find(specifier: string, from: string | null): Promise<Module | { message: string; hint: string }> {
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
      if (!ports.libraries.includes(found.name)) return noPackage(found.name)
      return ready(`package:${name}`, await ports.loadLibrary(name))
    }

    /** Finds what a module imports; a file that is missing fails an import at once, a `require` when it is reached. */
    async function link(module: Module, code: TransformedCode): Promise<void> {
      const by = (line: number) =>
        module.path === null ? `imported in line ${line}` : `imported by ${module.path} line ${line}`
      const say = ({ message, hint }: { message: string; hint: string }, line: number) =>
        `${message}, ${by(line)}.${hint === '' ? '' : ` ${hint}`}`
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
            // Not kept: the file may be written anew before it is imported again.
            for (const each of [next, ...queue]) modules.delete(each.id)
            throw thrown
          }
        }
      },
    }
  }

  function compiles(kind: 'async' | 'sync', body: string): boolean {
    try {
      ports.compile(kind, codeParameters, body, 'nod-probe.js')
      return true
    } catch {
      return false
    }
  }

  function valuesFor(module: Module): readonly unknown[] {
    const path = module.path ?? '/code.js'
    const folder = posixPath.dirname(path)
    const meta = {
      url: `file://${encodeURI(path)}`,
      filename: path,
      dirname: folder,
      main: module.path === null,
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

  /** Runs a module's body up to its end or its first top-level await. Its imports have to be evaluated already. */
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
      module.thrown = thrown instanceof SyntaxError ? withPlace(thrown, module) : thrown
    }
  }

  function withPlace(error: SyntaxError, module: Module): SyntaxError {
    const place = ports.placeOfSyntaxError(error)
    const where = `${module.path ?? 'the code'}${place === '' ? '' : ` ${place}`}`
    return new SyntaxError(error.message.includes(where) ? error.message : `${error.message} (${where})`)
  }

  /** As an engine does: a name that is not exported is an error of the importer. TypeScript's may be types. */
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

  /** What has to run before a module and has not yet, in order, the module itself last. Circles are cut where they close. */
  function orderOf(roots: readonly Module[]): readonly Module[] {
    const order = new Set<Module>()
    const seen = new Set<Module>()
    for (const root of roots) {
      const stack = [{ module: root, next: 0 }]
      seen.add(root)
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const { module } = top
        const child = module.state === 'done' ? undefined : module.imports[top.next++]?.target
        if (child === undefined) {
          stack.pop()
          order.add(module)
        } else if (!seen.has(child)) {
          seen.add(child)
          stack.push({ module: child, next: 0 })
        }
      }
    }
    return [...order]
  }

  async function evaluate(roots: readonly Module[]): Promise<void> {
    for (const next of orderOf(roots)) {
      begin(next)
      await next.running
      if (isFailed(next)) throw next.thrown
    }
  }

  /** `require` as a module sees it. */
  const requireOf = (from: Module) =>
    Object.assign((specifier: unknown) => requireFrom(from, specifier), {
      resolve(specifier: unknown) {
        const found = resolveSpecifier(String(specifier), folderOf(from), ports.listFolder)
        if (found.kind === 'failed') throw notFound(`${found.message}.`)
        return found.kind === 'file' ? found.path : found.name
      },
      main: modules.get('')?.module,
      cache: {},
    })

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

  /** The file may have been written since its name was looked for in vain; else `why` says what was missing. */
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
      // One that runs already is in a circle with the module that asks, and is given as it stands.
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
      const loader = createLoader()
      const found = await loader.find(String(specifier), from.path)
      if (!('id' in found))
        throw notFound(`${found.message}.${found.hint === '' ? '' : ` ${found.hint}`}`, 'ERR_MODULE_NOT_FOUND')
      await loader.loadAll()
      return found
    }
    // One graph after the other: what two of them share is whole before either is evaluated.
    const loading = lastLoading.then(loadTarget)
    lastLoading = loading.catch(() => undefined)
    const target = await loading
    await evaluate([target])
    return namespaceOf(target.module.exports)
  }

  return {
    /** Reads the run's own code and evaluates what it imports. Rejects with the error of a module. */
    async prepare(code: string, types: readonly SourceType[]): Promise<PreparedEntry> {
      const transformed = transformCode(code, types, (body) => compiles('async', body))
      if (!transformed.ok) return transformed
      const entry = newModule('', null)
      entry.code = transformed.code
      entry.state = 'running'
      const loader = createLoader()
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

/** What `import()` gives: the module's own exports, or those of a script with the whole as `default`. */
function namespaceOf(exports: unknown): unknown {
  const hasNames = (typeof exports === 'object' || typeof exports === 'function') && exports !== null
  if (hasNames && '__esModule' in exports) return exports
  return { ...(hasNames ? exports : {}), default: exports }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (thrown) {
    throw new SyntaxError(`${path} is no valid JSON: ${thrown instanceof Error ? thrown.message : ''}`)
  }
}

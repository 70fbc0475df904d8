import { resolveSpecifier, type ListFolder, posixPath } from './resolve'
import { transformCode, type SourceType, type TransformedCode, type BrokenCode } from './transform'

export interface ModulePorts {
  readonly listFolder: ListFolder
  /** Reads a file of at most `maxBytes`; an error's message is a sentence. */
  readonly readText: (
    path: string,
    maxBytes: number,
  ) => { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string }
  /** Modules that need no loading: Node's own modules. */
  readonly builtIns: Readonly<Record<string, unknown>>
  /** Node modules that are not available, each with a sentence that says what to do instead. */
  readonly missing: Readonly<Record<string, string>>
  /** Libraries by package name. */
  readonly libraries: readonly string[]
  readonly loadLibrary: (name: string) => Promise<unknown>
  /** Compiles a function with these parameters, named `name` in stack traces. Throws a SyntaxError. */
  readonly compile: (kind: 'async' | 'sync', parameters: readonly string[], body: string, name: string) => Compiled
  /** Describes the position of a SyntaxError, such as "line 3", or ''. */
  readonly placeOfSyntaxError: (thrown: unknown) => string
}

type Compiled = (...values: readonly unknown[]) => unknown

/** The run's own prepared code: its imports have been evaluated. */
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

export interface Dependency {
  readonly specifier: string
  readonly line: number
  readonly names: readonly string[]
  readonly target: Module
}

export interface Module {
  readonly id: string
  readonly path: string | null
  code: TransformedCode | null
  imports: readonly Dependency[]
  /** By specifier; a string is the reason why it is unavailable, thrown when it is required. */
  requires: ReadonlyMap<string, Module | string>
  module: { exports: unknown }
  state: 'new' | 'running' | 'done' | 'failed'
  thrown: unknown
  running: Promise<void>
}

export const codeParameters = [
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

// A function, because a module changes its state while it runs, which the compiler does not see.
export const isFailed = (module: Module) => module.state === 'failed'
export const isRunning = (module: Module) => module.state === 'running'

export const notFound = (message: string, code = 'MODULE_NOT_FOUND') => Object.assign(new Error(message), { code })

export const list = (names: readonly string[]) => names.join(', ')

export const moduleFolder = ({ path }: Module) => (path === null ? '/' : posixPath.dirname(path))

/** The name of a file in the engine's stack traces; `format-value.ts` parses it. */
export const sourceNameOf = (path: string): string => `nod-file://${encodeURI(path)}`

/**
 * The modules that must still run before a module, in order, the module itself last. Cycles are cut where they close.
 */
export function orderOf(roots: readonly Module[]): readonly Module[] {
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

const maxModules = 2_000
const maxModuleBytes = 2_000_000
const maxJsonBytes = 10_000_000
const maxTotalBytes = 20_000_000

const typesOf = (path: string): readonly SourceType[] | null => {
  if (/\.[cm]?ts$/.test(path)) return ['typescript']
  if (path.endsWith('.tsx')) return ['tsx']
  return /\.[cm]?js$/.test(path) ? ['javascript', 'typescript'] : null
}

/** What is missing, and what to do; '' for no hint. */
export interface Missing {
  readonly message: string
  readonly hint: string
}

export const missingSentence = ({ message, hint }: Missing): string => `${message}.${hint === '' ? '' : ` ${hint}`}`

/**
 * The modules that a run knows so far. `ownModule` is the `module` package, `compiles` checks whether a body can be
 * run.
 */
export function createModuleRegistry(
  ports: ModulePorts,
  ownModule: () => unknown,
  compiles: (kind: 'async' | 'sync', body: string) => boolean,
) {
  const modules = new Map<string, Module>()
  let totalBytes = 0

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
  const builtIn = (name: string): Module | null => {
    const known = modules.get(`package:${name}`)
    if (known !== undefined) return known
    if (name === 'module' && isBuiltIn('fs')) return ready('package:module', ownModule())
    return isBuiltIn(name) ? ready(`package:${name}`, ports.builtIns[name]) : null
  }
  const fileModule = (path: string): Module => {
    if (modules.size >= maxModules) throw new Error(`The code imports more than ${maxModules} modules.`)
    return newModule(path, path)
  }

  /** Reads and transforms a file; null if there is nothing to link, as in JSON. */
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

  /** A module whose name becomes known only now: files are read at once, but a package must already be loaded. */
  function findNow(specifier: string, from: Module): Module {
    const found = resolveSpecifier(specifier, moduleFolder(from), ports.listFolder)
    if (found.kind === 'failed') throw notFound(missingSentence(found))
    if (found.kind === 'package') {
      const name = found.name.replace(/^node:/, '')
      const there = builtIn(name)
      if (there !== null) return there
      const late = {
        message: `The package ${name} is not loaded`,
        hint: `Write its name as it stands, require("${name}"), or use \`await import("${name}")\`.`,
      }
      throw notFound(missingSentence(ports.libraries.includes(name) ? late : noPackage(ports, found.name)))
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

  return { modules, newModule, ready, isBuiltIn, builtIn, fileModule, read, findNow }
}

export type ModuleRegistry = ReturnType<typeof createModuleRegistry>

/** The error for an unknown package. */
export function noPackage(ports: Pick<ModulePorts, 'missing' | 'libraries'>, name: string): Missing {
  const plain = name.replace(/^node:/, '')
  const hint = Object.hasOwn(ports.missing, plain) ? ports.missing[plain] : undefined
  if (hint !== undefined) return { message: `There is no module ${plain} here`, hint }
  const there = `can be imported here: ${list(ports.libraries)}, Node’s own modules (fs, path, crypto and more), and files of this chat by their path (./a.js)`
  return {
    message: `There is no package ${name.slice(0, 100)} here, and no network to get it. These ${there}`,
    hint: '',
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (thrown) {
    throw new SyntaxError(`${path} is no valid JSON: ${thrown instanceof Error ? thrown.message : ''}`)
  }
}

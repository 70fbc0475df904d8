import { posixPath } from './posix-path'
import type { ListFolder } from './resolve'
import type { BrokenCode, TransformedCode } from './transform'

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
  /** By specifier; a text is why it can't be had, thrown when it is asked for. */
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

// Asked by function: a module changes its state while it runs, which the compiler does not see.
export const isFailed = (module: Module) => module.state === 'failed'
export const isRunning = (module: Module) => module.state === 'running'

export const notFound = (message: string, code = 'MODULE_NOT_FOUND') => Object.assign(new Error(message), { code })

export const list = (names: readonly string[]) => names.join(', ')

export const folderOf = ({ path }: Module) => (path === null ? '/' : posixPath.dirname(path))

/** How a file is named in an engine's stack; `code-location.ts` reads it. */
export const sourceNameOf = (path: string): string => `nod-file://${encodeURI(path)}`

/** What has to run before a module and has not yet, in order, the module itself last. Circles are cut where they close. */
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

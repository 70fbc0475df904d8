import { notFound, type Dependency, type Module, type ModulePorts } from './module'
import { missingSentence, noPackage, type Missing, type ModuleShelf } from './module-shelf'
import { posixPath } from './posix-path'
import { resolveSpecifier, type ListFolder } from './resolve'
import type { TransformedCode } from './transform'

/** One loading of a graph; folders are listed once in it. */
export function createLoader(ports: ModulePorts, { modules, builtIn, fileModule, ready, read }: ModuleShelf) {
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

  /** Finds what a module imports; a file that is missing fails an import at once, a `require` when it is reached. */
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
          // Not kept: the file may be written anew before it is imported again.
          for (const each of [next, ...queue]) modules.delete(each.id)
          throw thrown
        }
      }
    },
  }
}

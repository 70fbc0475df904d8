import { isRecord } from '@/lib/base/json'
import type { ToolAnswer } from '../sandbox'
import type { ModulePorts, PreparedEntry } from './modules/module-registry'
import type { GuestNode, createGuestNode, GuestNodePorts } from './node/guest-node'
import type { AssetBytes, CallHost } from './protocol'
import { wallClock } from '@/lib/base/clocks'
import { createBlobReader, takeSnapshot } from './run-files'

/** A tool returned no value: the user denied it, it failed, or it is not available here. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** The value of an answer. Throws ToolError with the answer's error sentence. */
export function toolValue({ ok, text }: Omit<ToolAnswer, 'id'>): unknown {
  if (!ok) throw new ToolError(text)
  return JSON.parse(text) as unknown
}

/** The arguments as JSON text. Throws TypeError if they are not an object of JSON values. */
export function toolArguments(name: string, args: unknown = {}): string {
  if (!isRecord(args) || Array.isArray(args)) {
    throw new TypeError(`tools.${name} takes one object with named arguments: tools.${name}({ … }).`)
  }
  return JSON.stringify(args)
}

/** `tools` for code: one function for each name. Other names are undefined, so that code can test `tools.x`. */
export function createGuestTools(
  names: readonly string[],
  callTool: (name: string, args: string) => Promise<Omit<ToolAnswer, 'id'>>,
): Readonly<Record<string, (args?: unknown) => Promise<unknown>>> {
  const tools = Object.create(null) as Record<string, (args?: unknown) => Promise<unknown>>
  for (const name of names) {
    tools[name] = async (args) => toolValue(await callTool(name, toolArguments(name, args)))
  }
  return Object.freeze(tools)
}

/** A package that code may import by its name: the asset that contains it, and its name among that asset's exports. */
interface Library {
  readonly asset: string
  readonly member: string
}

const libraries: Readonly<Record<string, Library>> = {
  papaparse: { asset: 'papaparse.js', member: 'papaparse' },
  'simple-statistics': { asset: 'simple-statistics.js', member: 'simpleStatistics' },
  'date-fns': { asset: 'date-fns.js', member: 'dateFns' },
  vega: { asset: 'vega.js', member: 'vega' },
  'vega-lite': { asset: 'vega.js', member: 'vegaLite' },
}

/*
 * Whether code may use files, or anything else of Node's: then a run begins by loading them, which takes a moment.
 * Deliberately broad; code that determines names only at run time still has to use `globalThis`, `require` or the like.
 * Strings in quotes are ignored, and the available packages do not use files.
 */

/** Removes strings in quotes: text about imports imports nothing. */
export const withoutTexts = (code: string): string => code.replace(/"(?:[^"\\\n]|\\.)*"/g, '""')

const words =
  /\b(?:fs|require|import|process|Buffer|setTimeout|setInterval|setImmediate|__dirname|__filename|global|globalThis|self|eval|Function|constructor|node:\w+)\b/

const names = Object.keys(libraries).join('|')
const ofLibraries = new RegExp(
  `\\bimport\\b[^'";()]*(['"])(?:${names})\\1|\\bimport\\s*\\(\\s*(['"])(?:${names})\\2\\s*\\)`,
  'g',
)

export const mentionsFiles = (code: string): boolean => words.test(withoutTexts(code.replace(ofLibraries, '')))

export interface GuestAssets {
  /**
   * The exports of an asset's script, which runs once; assets that it requires by name are loaded with it and run
   * before it. Rejects with a message if the page does not provide one.
   */
  load<Exports>(name: string, required?: readonly string[]): Promise<Exports>
  /** Handles the page's answer. */
  arrived(id: number, bytes: AssetBytes): void
}

const SyncFunction = (() => {}).constructor as new (...parts: readonly string[]) => (...values: unknown[]) => void

/** The worker's side of the asset channel: a script is requested when it is first needed. */
export function createGuestAssets(ask: (id: number, name: string) => void): GuestAssets {
  const waiting = new Map<number, (bytes: AssetBytes) => void>()
  const loaded = new Map<string, Promise<unknown>>()
  let asked = 0

  const fetchBytes = (name: string) =>
    new Promise<AssetBytes>((resolve) => {
      const id = ++asked
      waiting.set(id, resolve)
      ask(id, name)
    })

  async function fetchAndRun(name: string, required: readonly string[]): Promise<unknown> {
    const [bytes, ...exports] = await Promise.all([fetchBytes(name), ...required.map((each) => load(each, []))])
    const found = new Map(required.map((each, at) => [each, exports[at]]))
    if (bytes === null) throw new Error(`${name} could not be loaded. Check the network, then run the code again.`)
    const script = { exports: {} }
    const body = `${new TextDecoder().decode(bytes)}\n//# sourceURL=nod-asset/${name}`
    // The bytes are the app's own, and the realm belongs to the code anyway.
    const require = (each: unknown) => found.get(String(each))
    new SyncFunction('module', 'exports', 'require', body)(script, script.exports, require)
    return script.exports
  }

  function load(name: string, required: readonly string[]): Promise<unknown> {
    const loading = loaded.get(name) ?? fetchAndRun(name, required)
    loaded.set(name, loading)
    return loading
  }

  return {
    load: <Exports>(name: string, required: readonly string[] = []) => load(name, required) as Promise<Exports>,
    arrived(id, bytes) {
      waiting.get(id)?.(bytes)
      waiting.delete(id)
    },
  }
}

export interface GuestModulesPorts {
  readonly assets: GuestAssets
  /** Null: the code mentions no files, so it imports none. */
  readonly node: () => GuestNode | null
  readonly compile: ModulePorts['compile']
  readonly placeOfSyntaxError: ModulePorts['placeOfSyntaxError']
}

type ModulesAsset = {
  readonly createModuleGraph: (ports: ModulePorts) => {
    prepare(code: string, types: readonly string[]): Promise<PreparedEntry>
  }
}

/** Code that imports, requires or has types: the tool that prepares it is an asset, loaded when such code arrives. */
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

interface NodeAsset {
  readonly createGuestNode: typeof createGuestNode
}

type StartNodePorts = Omit<GuestNodePorts, 'entries' | 'read' | 'limits' | 'access' | 'now'>

/** Passes the files to the code and starts the Node APIs. Rejects with a message. */
export async function startNode(assets: GuestAssets, callHost: CallHost, ports: StartNodePorts): Promise<GuestNode> {
  const [asset, snapshot] = await Promise.all([assets.load<NodeAsset>('node.js', ['zenfs.js']), takeSnapshot(callHost)])
  const { entries, limits, access } = snapshot
  const read = createBlobReader(snapshot)
  return asset.createGuestNode({ ...ports, entries, limits, access, read, now: wallClock })
}

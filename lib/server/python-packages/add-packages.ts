import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { msSince, wallClock } from '@/lib/base/clocks'
import { makeError } from '@/lib/i18n/t'
import { inLoadOrder, normalName, shippedPackages } from '@/lib/sandbox/python-packages'
import { pyodideVersion } from '@/lib/sandbox/python-assets'
import { partPath, readPackages, wheelPath, writeRecord, type AddedPackage } from './package-folder'
import { fetchWheel, isWheelName, type FoundWheel, type PackageSource } from './package-source'
import { readWheel } from './read-wheel'

/*
 * Adds Python packages for the sandbox: packages of Pyodide's list by name, with all dependencies and the hashes of
 * that list; pure wheels of PyPI as `name==version`, whose hash is pinned at first use. A wheel with a wrong hash is
 * not stored.
 */

/** An entry of Pyodide's list of packages. */
export interface LockedPackage {
  readonly name: string
  readonly version: string
  readonly file_name: string
  readonly sha256: string
  readonly imports: readonly string[]
  readonly depends: readonly string[]
  readonly package_type: string
}

export type Lock = Readonly<Record<string, LockedPackage>>

export interface AddPorts {
  readonly lock: Lock
  readonly folder: string
  readonly source: PackageSource
  /** The name of the source for error messages. */
  readonly from: string
  /** SHA-256 by `name==version` of PyPI wheels that were added before. */
  readonly pins: Readonly<Record<string, string>>
  /** Called for each added package. */
  readonly onAdded: (added: AddedPackage) => void
}

interface Wanted {
  readonly name: string
  readonly isNamed: boolean
  /** The package that requires it. */
  readonly by: string | null
}

const pinOf = (name: string, version: string): string => `${name}==${version}`

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A partial file of an earlier command is older than this; one that is being written is not. */
const staleMs = 3_600_000

async function dropParts(folder: string, now: number): Promise<void> {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.part'))) {
    const file = path.join(folder, name)
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now
    if (msSince(written, now) > staleMs) await rm(file, { force: true })
  }
}

/** Returns the new pins. Rejects with AppError if nothing was added. */
export async function addPackages(
  words: readonly string[],
  ports: AddPorts,
): Promise<Readonly<Record<string, string>>> {
  const { lock, folder, source, from, pins } = ports
  const versions = new Map(words.map(splitWord))
  const known = new Map([...shippedPackages, ...readPackages(folder)].map((each) => [each.name, each.version]))
  const found = new Map<string, AddedPackage>()
  const newPins: Record<string, string> = {}
  /** The partial files, kept until all packages are fetched. */
  const parts = new Map<string, string>()

  async function keep(wheel: FoundWheel, wanted: Wanted, locked: LockedPackage | null): Promise<AddedPackage> {
    const { file } = wheel
    if (!isWheelName(file)) throw makeError('bad-request', 'python-add.bad-wheel', { wheel: file, why: 'name' })
    const bytes = await fetchWheel(file, wheel.open, from)
    const sha256 = hashOf(bytes)
    if (wheel.sha256 !== null && wheel.sha256 !== sha256)
      throw makeError('bad-request', 'python-add.other-bytes', { wheel: file, wanted: wheel.sha256, got: sha256 })
    const facts = readWheel(file, bytes)
    const target = wheelPath(folder, sha256)
    const part = partPath(target)
    parts.set(part, target)
    await writeFile(part, bytes)
    return {
      name: wanted.name,
      version: facts.version,
      imports: locked?.imports ?? facts.imports,
      depends: locked?.depends.map(normalName) ?? facts.requires,
      file,
      sha256,
      bytes: bytes.byteLength,
      licence: facts.licence,
      source: facts.source ?? `https://pypi.org/project/${wanted.name}/`,
      isNamed: wanted.isNamed,
      licenceText: facts.licenceText,
    }
  }

  async function fromPyPi(wanted: Wanted, version: string): Promise<AddedPackage> {
    const { name } = wanted
    const wheels = await source.ofPyPi(name, version)
    const pure = wheels.find(({ file }) => file.endsWith('-none-any.whl'))
    if (pure === undefined)
      throw makeError('bad-request', 'python-add.no-pure-wheel', { pack: name, version, other: wheels.length > 0 })
    const pin = pins[pinOf(name, version)]
    if (pin !== undefined && pure.sha256 !== null && pin !== pure.sha256)
      throw makeError('bad-request', 'python-add.other-bytes', { wheel: pure.file, wanted: pin, got: pure.sha256 })
    const kept = await keep({ ...pure, sha256: pin ?? pure.sha256 }, wanted, null)
    newPins[pinOf(name, version)] = kept.sha256
    return kept
  }

  async function fromPyodide({ name, by, ...rest }: Wanted): Promise<AddedPackage | null> {
    const locked = Object.hasOwn(lock, name) ? lock[name] : undefined
    if (locked === undefined) {
      // Shipped with Nod, or added earlier.
      if (known.has(name) && by !== null) return null
      throw makeError('bad-request', 'python-add.unknown', { pack: name, by: by ?? 'none', version: pyodideVersion })
    }
    if (locked.package_type !== 'package' || !locked.file_name.endsWith('.whl'))
      throw makeError('bad-request', 'python-add.library', { pack: name, by: by ?? 'none' })
    const { file_name: file, sha256 } = locked
    return keep({ file, sha256, open: source.ofPyodide(file) }, { name, by, ...rest }, locked)
  }

  async function fetchAll(): Promise<void> {
    const queue: Wanted[] = [...versions.keys()].map((name) => ({ name, isNamed: true, by: null }))
    for (let wanted = queue.shift(); wanted !== undefined; wanted = queue.shift()) {
      const { name } = wanted
      if (found.has(name)) continue
      const version = versions.get(name) ?? null
      const locked = Object.hasOwn(lock, name) ? lock[name] : undefined
      // Pyodide's wheel of a pure package has other bytes than PyPI's; native packages exist only in Pyodide.
      const isNative = locked !== undefined && locked.version === version && !locked.file_name.endsWith('-none-any.whl')
      const added = version === null || isNative ? await fromPyodide(wanted) : await fromPyPi(wanted, version)
      if (added === null) continue
      found.set(name, added)
      queue.push(...added.depends.map((each) => ({ name: each, isNamed: versions.has(each), by: name })))
    }
  }

  await dropParts(folder, wallClock())
  try {
    await fetchAll()
    for (const [part, target] of parts) await rename(part, target)
  } finally {
    for (const part of parts.keys()) await rm(part, { force: true })
  }
  const named = new Set(readPackages(folder).flatMap(({ name, isNamed }) => (isNamed ? [name] : [])))
  for (const { name } of inLoadOrder(found.keys(), [...found.values()])) {
    const added = found.get(name)
    if (added === undefined) continue
    const record = { ...added, isNamed: added.isNamed || named.has(name) }
    await writeRecord(folder, record)
    ports.onAdded(record)
  }
  return newPins
}

/** `numpy` or `pdfplumber==0.11.7`. */
function splitWord(word: string): readonly [name: string, version: string | null] {
  const parts = /^([A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?)(?:==([0-9][\w.!+-]{0,60}))?$/.exec(word)
  if (parts?.[1] === undefined) throw makeError('bad-request', 'python-add.bad-name', { word: word.slice(0, 100) })
  return [normalName(parts[1]), parts[2] ?? null]
}
